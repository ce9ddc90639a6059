// Pieces of ONNX files, for benches that bring a network into the shape that a peer asks for.
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** A message being written, field by field. */
export class Message {
  readonly #writer = new BinaryWriter();

  integer(number: number, value: number): this {
    this.#writer.tag(number, WireType.Varint).int64(value);
    return this;
  }
  text(number: number, value: string): this {
    this.#writer.tag(number, WireType.LengthDelimited).string(value);
    return this;
  }
  message(number: number, value: Message): this {
    this.#writer.tag(number, WireType.LengthDelimited).bytes(value.finish());
    return this;
  }
  finish(): Uint8Array {
    return this.#writer.finish();
  }
}

/** Notes inside an ONNX file (ModelProto field 14: key 1, value 2), which sherpa-onnx asks for. */
export function withMetadata(model: Uint8Array, notes: Readonly<Record<string, string>>): Uint8Array {
  const added = new Message();
  for (const [key, value] of Object.entries(notes))
    added.message(14, new Message().text(1, key).text(2, value));
  return Buffer.concat([model, added.finish()]);
}

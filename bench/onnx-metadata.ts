// Notes inside an ONNX file (ModelProto field 14: key 1, value 2), which sherpa-onnx asks for.
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

export function withMetadata(model: Uint8Array, notes: Readonly<Record<string, string>>): Uint8Array {
  const added = new BinaryWriter();
  for (const [key, value] of Object.entries(notes)) {
    added.tag(14, WireType.LengthDelimited).fork();
    added.tag(1, WireType.LengthDelimited).string(key);
    added.tag(2, WireType.LengthDelimited).string(value);
    added.join();
  }
  return Buffer.concat([model, added.finish()]);
}

// A small WebAssembly assembler: all kernels (log-mel, 1:N scan, filters, the speech detector's layers) are
// written in it and assembled when they are first used, in about a millisecond. So the repository holds no
// binary that could differ from its source, and a kernel can be specialized for the dimension of a model.

const valueType = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const;
export type ValueType = keyof typeof valueType;

const plain = {
  'i32.eqz': 0x45, 'i32.eq': 0x46, 'i32.ne': 0x47, 'i32.lt_s': 0x48, 'i32.lt_u': 0x49, 'i32.gt_s': 0x4a, 'i32.ge_u': 0x4f, 'i32.add': 0x6a, 'i32.sub': 0x6b,
  'i32.mul': 0x6c, 'i32.and': 0x71, 'i32.shl': 0x74, 'f32.add': 0x92, 'f32.sub': 0x93, 'f32.mul': 0x94, 'f32.convert_i32_s': 0xb2,
} as const; // prettier-ignore

const simd = {
  'i32x4.splat': 0x11, 'f32x4.splat': 0x13, 'v128.and': 0x4e, 'v128.or': 0x50, 'v128.bitselect': 0x52,
  'i32x4.extadd_pairwise_i16x8_s': 0x7e, 'i32x4.bitmask': 0xa4, 'i16x8.relaxed_dot_i8x16_i7x16_s': 0x112,
  'i16x8.add': 0x8e, 'i16x8.extmul_low_i8x16_s': 0x9c, 'i16x8.extmul_high_i8x16_s': 0x9d, 'i32x4.shl': 0xab, 'i32x4.shr_u': 0xad,
  'i32x4.add': 0xae, 'i32x4.sub': 0xb1, 'i32x4.dot_i16x8_s': 0xba, 'f32x4.lt': 0x43, 'f32x4.gt': 0x44, 'f32x4.le': 0x45, 'f32x4.abs': 0xe0, 'f32x4.add': 0xe4,
  'f32x4.sub': 0xe5, 'f32x4.mul': 0xe6, 'f32x4.div': 0xe7,
  'f32x4.min': 0xe8, 'f32x4.max': 0xe9, 'f32x4.pmin': 0xea, 'f32x4.pmax': 0xeb, 'f32x4.convert_i32x4_s': 0xfa,
  'f64x2.promote_low_f32x4': 0x5f, 'f32x4.demote_f64x2_zero': 0x5e, 'f64x2.add': 0xf0, 'f64x2.sub': 0xf1, 'f64x2.div': 0xf3,
  'f64x2.convert_low_i32x4_s': 0xfe,
} as const; // prettier-ignore

type Operation = keyof typeof plain | keyof typeof simd;

/** Index of a local; its own type so that an address is not mistaken for one. */
export type Local = number & { readonly local: unique symbol };

/**
 * Ten entries are more than any kernel destructures; without this type every one would have to be checked for
 * absence.
 */
type Many = readonly [Local, Local, Local, Local, Local, Local, Local, Local, Local, Local];

function unsigned(value: number): number[] {
  const out: number[] = [];
  let rest = value >>> 0;
  do {
    const byte = rest & 0x7f;
    rest >>>= 7;
    out.push(rest ? byte | 0x80 : byte);
  } while (rest);
  return out;
}

function signed(value: number): number[] {
  const out: number[] = [];
  let rest = value | 0;
  for (;;) {
    const byte = rest & 0x7f;
    rest >>= 7;
    const done = (rest === 0 && !(byte & 0x40)) || (rest === -1 && byte & 0x40);
    out.push(done ? byte : byte | 0x80);
    if (done) return out;
  }
}

const floatBytes = (value: number): number[] => [...new Uint8Array(new Float32Array([value]).buffer)];
const text = (value: string): number[] => [
  ...unsigned(value.length),
  ...[...value].map((c) => c.charCodeAt(0)),
];
const vector = (items: readonly (readonly number[])[]): number[] => [
  ...unsigned(items.length),
  ...items.flat(),
];
const section = (id: number, body: readonly number[]): number[] => [id, ...unsigned(body.length), ...body];

/** One function under construction; every method appends instructions and returns the builder. */
export class FunctionBuilder {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly result: ValueType | undefined;
  readonly #code: number[] = [];
  readonly #locals: ValueType[] = [];
  constructor(name: string, parameters: readonly ValueType[], result?: ValueType) {
    this.name = name;
    this.parameters = parameters;
    this.result = result;
  }

  parameter(index: number): Local {
    return index as Local;
  }
  /** All parameters, for destructuring: there are as many as were declared. */
  allParameters(): Many {
    return this.parameters.map((_, index) => index as Local) as unknown as Many;
  }
  /** Several locals of one type, for destructuring: use no more than `count`. */
  locals(type: ValueType, count: number): Many {
    return Array.from({ length: count }, () => this.local(type)) as unknown as Many;
  }
  local(type: ValueType): Local {
    this.#locals.push(type);
    return (this.parameters.length + this.#locals.length - 1) as Local;
  }
  get(...locals: Local[]): this {
    for (const local of locals) this.#code.push(0x20, ...unsigned(local));
    return this;
  }
  set(local: Local): this {
    this.#code.push(0x21, ...unsigned(local));
    return this;
  }
  tee(local: Local): this {
    this.#code.push(0x22, ...unsigned(local));
    return this;
  }
  i32(value: number): this {
    this.#code.push(0x41, ...signed(value));
    return this;
  }
  f32(value: number): this {
    this.#code.push(0x43, ...floatBytes(value));
    return this;
  }
  /** The same float in all four lanes. */
  f32x4(value: number): this {
    const bytes = floatBytes(value);
    this.#code.push(0xfd, ...unsigned(0x0c), ...bytes, ...bytes, ...bytes, ...bytes);
    return this;
  }
  i32x4(value: number): this {
    const bytes = [...new Uint8Array(new Int32Array([value]).buffer)];
    this.#code.push(0xfd, ...unsigned(0x0c), ...bytes, ...bytes, ...bytes, ...bytes);
    return this;
  }
  op(...operations: Operation[]): this {
    for (const operation of operations) {
      if (operation in plain) this.#code.push(plain[operation as keyof typeof plain]);
      else this.#code.push(0xfd, ...unsigned(simd[operation as keyof typeof simd]));
    }
    return this;
  }
  loadI32(offset = 0): this {
    this.#code.push(0x28, 2, ...unsigned(offset));
    return this;
  }
  storeI32(offset = 0): this {
    this.#code.push(0x36, 2, ...unsigned(offset));
    return this;
  }
  load(offset = 0): this {
    this.#code.push(0xfd, 0, 4, ...unsigned(offset));
    return this;
  }
  /** Eight signed bytes as 16-bit integers. */
  loadBytes(offset = 0): this {
    this.#code.push(0xfd, 1, 0, ...unsigned(offset));
    return this;
  }
  store(offset = 0): this {
    this.#code.push(0xfd, 11, 4, ...unsigned(offset));
    return this;
  }
  loadSplat(offset = 0): this {
    this.#code.push(0xfd, 9, 2, ...unsigned(offset));
    return this;
  }
  loadLane(lane: number, offset = 0): this {
    this.#code.push(0xfd, ...unsigned(0x56), 2, ...unsigned(offset), lane);
    return this;
  }
  storeLane(lane: number, offset = 0): this {
    this.#code.push(0xfd, ...unsigned(0x5a), 2, ...unsigned(offset), lane);
    return this;
  }
  extractF32(lane: number): this {
    this.#code.push(0xfd, 0x1f, lane);
    return this;
  }
  /** Stores the float on the stack at the address below it. */
  storeF32(offset = 0): this {
    this.#code.push(0x38, 2, ...unsigned(offset));
    return this;
  }
  /** Picks four of the eight floats of two vectors; 0 to 3 are the first one's. */
  shuffle(...lanes: [number, number, number, number]): this {
    this.#code.push(0xfd, 0x0d, ...lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)));
    return this;
  }
  call(index: number): this {
    this.#code.push(0x10, ...unsigned(index));
    return this;
  }
  /** Adds a constant to an i32 local. */
  advance(local: Local, by: number): this {
    return this.get(local).i32(by).op('i32.add').set(local);
  }
  /** Sets `local` to the sum of another and a constant. */
  setSum(local: Local, of: Local, plus: Local | { bytes: number }): this {
    this.get(of);
    if (typeof plus === 'number') this.get(plus);
    else this.i32(plus.bytes);
    return this.op('i32.add').set(local);
  }
  /** Runs the body when the i32 on the stack is not zero. */
  whenTrue(body: () => void): this {
    this.#code.push(0x04, 0x40);
    body();
    this.#code.push(0x0b);
    return this;
  }
  /** Runs the body once, and again as long as it leaves a non-zero i32 on the stack. */
  loop(body: () => void): this {
    this.#code.push(0x03, 0x40);
    body();
    this.#code.push(0x0d, 0, 0x0b);
    return this;
  }
  /** Runs the body `counter` times (at least once), counting it down to zero. */
  repeat(counter: Local, body: () => void): this {
    return this.loop(() => {
      body();
      this.get(counter).i32(1).op('i32.sub').tee(counter);
    });
  }
  bytes(): number[] {
    const locals = vector(this.#locals.map((type) => [1, valueType[type]]));
    const body = [...locals, ...this.#code, 0x0b];
    return [...unsigned(body.length), ...body];
  }
}

/** Limits of the imported memory: any, or any shared between threads. */
const anyMemory = [0, 0];
const anySharedMemory = [3, 0, ...unsigned(65536)];

/** A module with one imported memory (`env.memory`) that exports every function by its name. */
export function assemble(functions: readonly FunctionBuilder[], isShared = false): Uint8Array<ArrayBuffer> {
  const types = functions.map((f) => [
    0x60,
    ...vector(f.parameters.map((type) => [valueType[type]])),
    ...vector(f.result ? [[valueType[f.result]]] : []),
  ]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(
      2,
      vector([[...text('env'), ...text('memory'), 2, ...(isShared ? anySharedMemory : anyMemory)]]),
    ),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(7, vector(functions.map((f, index) => [...text(f.name), 0, ...unsigned(index)]))),
    ...section(10, vector(functions.map((f) => f.bytes()))),
  ]);
}

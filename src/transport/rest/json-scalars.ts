// Single values of the protobuf JSON mapping, read strictly enough to name what is wrong. The same readers
// serve JSON bodies, query parameters and path variables; text forms of numbers are part of the mapping.
import { ScalarType, type DescEnum } from '@bufbuild/protobuf';

/** What was wrong with a value; the caller adds the name of the field. */
export class ValueFault extends Error {
  override readonly name = 'ValueFault';
}

const integerRanges: Readonly<Partial<Record<ScalarType, readonly [number, number]>>> = {
  [ScalarType.INT32]: [-2147483648, 2147483647],
  [ScalarType.SINT32]: [-2147483648, 2147483647],
  [ScalarType.SFIXED32]: [-2147483648, 2147483647],
  [ScalarType.UINT32]: [0, 4294967295],
  [ScalarType.FIXED32]: [0, 4294967295],
};
const int64Range = [-(2n ** 63n), 2n ** 63n - 1n] as const;
const uint64Range = [0n, 2n ** 64n - 1n] as const;
const FLOAT_MAX = 3.4028234663852886e38;
const base64Pattern = /^[A-Za-z0-9+/_-]*={0,2}$/;
const surrogatePattern = /[\ud800-\udfff]/;
const loneSurrogatePattern = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export function readScalar(type: ScalarType, json: unknown): unknown {
  switch (type) {
    case ScalarType.STRING:
      return readText(json);
    case ScalarType.BOOL:
      if (typeof json === 'boolean') return json;
      throw new ValueFault(`expected true or false, got ${kindOf(json)}`);
    case ScalarType.BYTES:
      return readBytes(json);
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return readFloat(type, json);
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return readBigInteger(json, int64Range);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return readBigInteger(json, uint64Range);
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return readInteger(json, integerRanges[type] as readonly [number, number]);
  }
}

/** Scalars from a query string or a path, where everything is text. */
export function readScalarText(type: ScalarType, text: string): unknown {
  if (type !== ScalarType.BOOL) return readScalar(type, text);
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new ValueFault('expected true or false');
}

export function readEnum(desc: DescEnum, json: unknown): number {
  if (typeof json === 'number' && Number.isInteger(json) && Math.abs(json) <= 2147483647) return json;
  if (typeof json === 'string') {
    const byName = enumNumbers(desc).get(json);
    if (byName !== undefined) return byName;
    if (/^-?\d{1,9}$/.test(json)) return Number(json);
    throw new ValueFault(`"${clip(json)}" is not a value of ${desc.typeName}`);
  }
  throw new ValueFault(`expected a value of ${desc.typeName}, got ${kindOf(json)}`);
}

const enumNames = new WeakMap<DescEnum, Map<string, number>>();

function enumNumbers(desc: DescEnum): Map<string, number> {
  let names = enumNames.get(desc);
  if (!names) enumNames.set(desc, (names = new Map(desc.values.map((value) => [value.name, value.number]))));
  return names;
}

export function readText(json: unknown): string {
  if (typeof json !== 'string') throw new ValueFault(`expected a string, got ${kindOf(json)}`);
  // JSON can spell half a surrogate pair, which no UTF-8 text can hold.
  if (surrogatePattern.test(json) && loneSurrogatePattern.test(json))
    throw new ValueFault('not valid Unicode text');
  return json;
}

function readBytes(json: unknown): Uint8Array {
  if (typeof json !== 'string' || !base64Pattern.test(json)) throw new ValueFault('expected base64 text');
  const bytes = Buffer.from(json, 'base64');
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function readFloat(type: ScalarType, json: unknown): number {
  if (json === 'NaN') return Number.NaN;
  if (json === 'Infinity') return Number.POSITIVE_INFINITY;
  if (json === '-Infinity') return Number.NEGATIVE_INFINITY;
  const value = numberFrom(json);
  if (value === undefined) throw new ValueFault(`expected a number, got ${kindOf(json)}`);
  if (!Number.isFinite(value) || (type === ScalarType.FLOAT && Math.abs(value) > FLOAT_MAX)) {
    throw new ValueFault('number out of range');
  }
  return value;
}

function readInteger(json: unknown, range: readonly [number, number]): number {
  const value = numberFrom(json);
  if (value === undefined || !Number.isInteger(value))
    throw new ValueFault(`expected an integer, got ${kindOf(json)}`);
  if (value < range[0] || value > range[1])
    throw new ValueFault(`expected an integer from ${range[0]} to ${range[1]}`);
  return value;
}

function readBigInteger(json: unknown, range: readonly [bigint, bigint]): bigint {
  let value: bigint;
  if (typeof json === 'number' && Number.isSafeInteger(json)) value = BigInt(json);
  else if (typeof json === 'string' && /^-?\d{1,20}$/.test(json)) value = BigInt(json);
  else throw new ValueFault(`expected an integer, got ${kindOf(json)}`);
  if (value < range[0] || value > range[1]) throw new ValueFault('integer out of range');
  return value;
}

function numberFrom(json: unknown): number | undefined {
  if (typeof json === 'number') return json;
  if (typeof json !== 'string' || json.length > 64 || !/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(json))
    return undefined;
  return Number(json);
}

export function kindOf(json: unknown): string {
  if (json === null) return 'null';
  if (Array.isArray(json)) return 'an array';
  if (typeof json === 'object') return 'an object';
  return typeof json === 'string' ? `"${clip(json)}"` : String(json);
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}

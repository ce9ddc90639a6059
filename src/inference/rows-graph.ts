// A network of convolutions over time, rearranged when it is loaded. ONNX Runtime runs the quantised convolutions of
// a [1, channels, time] network as it finds them: weights packed anew for every call, and four more passes over the
// data to scale and shift. Here the same network works on [time, channels] rows: a convolution becomes one product with
// weights that are packed once, scale and bias included, and reductions over time read memory in order. Quantisation
// ranges and weights are those of the file, so what comes out is the same but for rounding. One recording per call.
// A graph with anything unexpected is left as it is.
import {
  contributed, FLOAT, floatConstant, INT8, int, integerConstant, ints, numbersOf, readGraph, UINT8, writeGraph,
} from './onnx-graph.js'; // prettier-ignore
import type { Attribute, Constant, Graph, Node } from './onnx-graph.js';

/** A value that is at hand as rows. */
interface Rows {
  name: string;
  /** Where known. */
  channels?: number;
  /** One row, the same at all times. */
  steady: boolean;
}

class Unexpected extends Error {}

const unary = new Set([
  'Relu',
  'Sigmoid',
  'Tanh',
  'Sqrt',
  'Exp',
  'Abs',
  'Neg',
  'Clip',
  'LeakyRelu',
  'HardSigmoid',
]);
const binary = new Set(['Add', 'Sub', 'Mul', 'Div']);
const reductions = new Set(['ReduceMean', 'ReduceSum', 'ReduceMax']);
const TIME = 2;

class Arranger {
  private readonly nodes: Node[] = [];
  private readonly constants: Map<string, Constant>;
  private readonly users = new Map<string, Node[]>();
  private readonly rows = new Map<string, Rows>();
  /** Steady values spread over time, which need not be. */
  private readonly spread = new Map<string, Rows>();
  /** Channels side by side of which some are steady. */
  private readonly mixed = new Map<string, Rows[]>();
  /** Results of quantising: the value, by the names of the quantised one and of its scale. */
  private readonly quantised = new Map<string, string>();
  private readonly scales = new Map<string, string>();
  /** Products of a quantised value's scale and its weights' scale. */
  private readonly weightScales = new Map<string, Constant>();
  private readonly rowsQuantised = new Map<string, [string, string, string]>();
  private readonly done = new Set<Node>();
  private count = 0;
  convolutions = 0;

  constructor(private readonly graph: Graph) {
    this.constants = new Map(graph.constants);
    for (const node of graph.nodes)
      for (const input of node.inputs) this.users.set(input, [...(this.users.get(input) ?? []), node]);
  }

  arrange(): Graph {
    for (const node of this.graph.nodes) if (!this.done.has(node) && !this.place(node)) this.keep(node);
    // What nothing asks for any more is dropped.
    const wanted = new Set(this.graph.outputs);
    const nodes = this.nodes.reduceRight<Node[]>((kept, node) => {
      if (!node.outputs.some((name) => wanted.has(name))) return kept;
      for (const input of node.inputs) wanted.add(input);
      return [...kept, node];
    }, []);
    const constants = new Map([...this.constants].filter(([name]) => wanted.has(name)));
    return { ...this.graph, nodes: nodes.reverse(), constants };
  }

  private fresh(): string {
    return `rows/${this.count++}`;
  }

  private constant(value: Constant): string {
    const name = this.fresh();
    this.constants.set(name, value);
    return name;
  }

  private emit(
    op: string,
    inputs: string[],
    attributes: Record<string, Attribute> = {},
    domain = '',
  ): string {
    const output = this.fresh();
    this.nodes.push({
      op,
      domain,
      inputs,
      outputs: [output],
      attributes: new Map(Object.entries(attributes)),
    });
    return output;
  }

  /** As the file has it; inputs that exist as rows only are turned back. */
  private keep(node: Node): void {
    if (node.op === 'Constant') {
      const value = node.attributes.get('value');
      if (value && 'tensor' in value) this.constants.set(node.outputs[0] as string, value.tensor);
      else this.nodes.push(node);
      return;
    }
    const inputs = node.inputs.map((name) => {
      if (this.quantised.has(name) || this.scales.has(name) || this.weightScales.has(name))
        throw new Unexpected(`${node.op} of a quantised value`);
      const rows = this.rows.get(name);
      if (!rows) return name;
      const turned = this.emit('Transpose', [rows.name], { perm: { ints: [1, 0] } });
      return this.emit('Unsqueeze', [turned, this.constant(integerConstant(0))]);
    });
    this.nodes.push({ ...node, inputs });
  }

  /** True when the node's result is at hand as rows (or is no longer needed). */
  private place(node: Node): boolean {
    const [input = '', second = ''] = node.inputs;
    const [output = ''] = node.outputs;
    const rows = this.rows.get(input);
    const { op } = node;
    if (node.domain !== '') return false;
    if (op === 'Transpose' && this.rows.size === 0 && String(ints(node, 'perm')) === '0,2,1') {
      const flat = this.emit('Squeeze', [input, this.constant(integerConstant(0))]);
      return this.set(output, { name: flat, steady: false });
    }
    if (op === 'DynamicQuantizeLinear' && (rows || this.mixed.has(input))) {
      this.quantised.set(output, input);
      for (const name of node.outputs.slice(1)) this.scales.set(name, input);
      return true;
    }
    if (op === 'Mul' && this.scales.has(input)) {
      const scale = this.constants.get(second);
      if (scale?.type !== FLOAT) throw new Unexpected('scales that are not constant');
      this.weightScales.set(output, scale);
      return true;
    }
    if (op === 'ConvInteger' && this.quantised.has(input)) return this.convolve(node);
    if (op === 'Expand' && rows?.steady) {
      this.spread.set(output, rows);
      return false;
    }
    if (op === 'Concat' && int(node, 'axis') === 1) return this.concatenate(node);
    if (binary.has(op)) return this.combine(node);
    if (!rows) return false;
    if (unary.has(op))
      return this.set(output, { ...rows, name: this.repeat(node, [rows.name, ...node.inputs.slice(1)]) });
    if (op === 'BatchNormalization') return this.normalise(node, rows);
    if (op === 'Split' && int(node, 'axis') === 1) return this.split(node, rows);
    if (reductions.has(op)) return this.reduce(node, rows);
    if (op === 'Softmax' && [TIME, -1].includes(int(node, 'axis') ?? -1)) return this.softmax(output, rows);
    return false;
  }

  private set(name: string, rows: Rows): true {
    this.rows.set(name, rows);
    return true;
  }

  /** The same operator on rows. */
  private repeat(node: Node, inputs: string[]): string {
    return this.emit(node.op, inputs, Object.fromEntries(node.attributes));
  }

  private quantise(rows: Rows): [values: string, scale: string, zero: string] {
    let names = this.rowsQuantised.get(rows.name);
    if (!names) {
      names = [this.fresh(), this.fresh(), this.fresh()];
      this.nodes.push({
        op: 'DynamicQuantizeLinear', domain: '', inputs: [rows.name], outputs: names, attributes: new Map(),
      }); // prettier-ignore
      this.rowsQuantised.set(rows.name, names);
    }
    return names;
  }

  private only(name: string, op: string): Node {
    const [user, ...more] = this.users.get(name) ?? [];
    if (!user || more.length > 0 || user.op !== op || this.graph.outputs.includes(name))
      throw new Unexpected(`no single ${op} of ${name}`);
    this.done.add(user);
    return user;
  }

  /** A constant, through the Reshape that quantisers put before a bias. */
  private known(name: string): Constant | undefined {
    const maker = this.graph.nodes.find((node) => node.op === 'Reshape' && node.outputs[0] === name);
    return this.constants.get(maker?.inputs[0] ?? name);
  }

  /** ConvInteger, Cast, Mul by the scales, Add of the bias: one product of rows and weights. */
  private convolve(node: Node): true {
    const weights = this.constants.get(node.inputs[1] ?? '');
    const zero = this.constants.get(node.inputs[3] ?? '');
    const [outputs = 0, channels = 0, taps = 0] = weights?.dims ?? [];
    const one = (name: string): number => ints(node, name)?.[0] ?? 1;
    if (!weights || !zero || weights.dims.length !== 3 || (weights.type !== UINT8 && weights.type !== INT8))
      throw new Unexpected('weights of another kind');
    if (
      (int(node, 'group') ?? 1) !== 1 ||
      one('strides') !== 1 ||
      (node.attributes.has('auto_pad') && !ints(node, 'pads'))
    )
      throw new Unexpected('a convolution of another kind');
    const cast = this.only(node.outputs[0] ?? '', 'Cast');
    const scaled = this.only(cast.outputs[0] ?? '', 'Mul');
    const scale = this.weightScales.get(scaled.inputs.find((name) => name !== cast.outputs[0]) ?? '');
    const add = this.only(scaled.outputs[0] ?? '', 'Add');
    const bias = this.known(add.inputs.find((name) => name !== scaled.outputs[0]) ?? '');
    if (!scale || bias?.type !== FLOAT || bias.data.length !== 4 * outputs || int(cast, 'to') !== FLOAT)
      throw new Unexpected('another way to scale');
    const value = this.quantised.get(node.inputs[0] ?? '') ?? '';
    const mixed = this.mixed.get(value);
    const whole = this.rows.get(value);
    const parts = mixed ?? (whole ? [whole] : []);
    const counted = parts.reduce((sum, part) => sum + (part.channels ?? channels), 0);
    if (counted !== channels || (mixed && (taps !== 1 || mixed.some((part) => part.channels === undefined))))
      throw new Unexpected('channels that do not fit');
    const [before = 0, after = 0] = ints(node, 'pads') ?? [];
    const biasRow: Constant = { type: FLOAT, dims: [outputs], data: bias.data };
    let from = 0;
    const sums = parts.map((part, index) => {
      const [values, valueScale, valueZero] = this.quantise(part);
      const wide = this.neighbours(values, valueZero, taps, one('dilations'), before, after);
      const own = weightRows(weights, from, part.channels ?? channels);
      from += part.channels ?? channels;
      const inputs = [
        wide,
        this.constant(own),
        valueScale,
        this.constant(scale),
        valueZero,
        this.constant(zero),
      ];
      if (index === 0) inputs.push(this.constant(biasRow));
      return this.emit('MatMulIntegerToFloat', inputs, {}, contributed);
    });
    this.convolutions++;
    const name = sums.reduce((sum, part) => this.emit('Add', [sum, part]));
    return this.set(add.outputs[0] ?? '', {
      name,
      channels: outputs,
      steady: parts.every((part) => part.steady),
    });
  }

  /** Each row with those that the taps reach beside it. */
  private neighbours(
    values: string,
    zero: string,
    taps: number,
    step: number,
    before: number,
    after: number,
  ): string {
    let padded = values;
    if (before > 0 || after > 0)
      padded = this.emit('Pad', [values, this.constant(integerConstant(before, 0, after, 0)), zero]);
    if (taps === 1) return padded;
    const axis = this.constant(integerConstant(0));
    const parts = Array.from({ length: taps }, (_, tap) => {
      const end = tap < taps - 1 ? -(taps - 1 - tap) * step : 2 ** 31;
      return this.emit('Slice', [
        padded,
        this.constant(integerConstant(tap * step)),
        this.constant(integerConstant(end)),
        axis,
      ]);
    });
    return this.emit('Concat', parts, { axis: { int: 1 } });
  }

  private concatenate(node: Node): boolean {
    const parts = node.inputs.map((name) => this.rows.get(name) ?? this.spread.get(name));
    const [output = ''] = node.outputs;
    const known = parts.filter((part) => part !== undefined);
    if (known.length !== parts.length) return false;
    if (node.inputs.some((name) => this.spread.has(name))) {
      this.mixed.set(output, known);
      return false;
    }
    const name = this.emit(
      'Concat',
      known.map((part) => part.name),
      { axis: { int: 1 } },
    );
    const channels = known.every((part) => part.channels !== undefined)
      ? { channels: known.reduce((sum, part) => sum + (part.channels ?? 0), 0) }
      : {};
    return this.set(output, { name, ...channels, steady: known.every((part) => part.steady) });
  }

  /** Sums and products of rows, or of rows and one number. */
  private combine(node: Node): boolean {
    const parts = node.inputs.map((name) => this.rows.get(name));
    const rows = parts.filter((part) => part !== undefined);
    const single = (name: string): boolean =>
      this.constants.get(name)?.dims.every((dim) => dim === 1) ?? false;
    if (rows.length === 0 || !node.inputs.every((name, i) => parts[i] || single(name))) return false;
    const name = this.repeat(
      node,
      node.inputs.map((input, i) => parts[i]?.name ?? input),
    );
    const channels = Math.max(...rows.map((part) => part.channels ?? 0));
    const steady = rows.every((part) => part.steady);
    return this.set(node.outputs[0] ?? '', { name, steady, ...(channels > 0 ? { channels } : {}) });
  }

  private normalise(node: Node, rows: Rows): boolean {
    const [scale, shift, mean, variance] = node.inputs.slice(1).map((name) => {
      const value = this.constants.get(name);
      return value && numbersOf(value);
    });
    const raw = node.attributes.get('epsilon');
    if (!scale || !shift || !mean || !variance || int(node, 'training_mode')) return false;
    const epsilon = raw && 'float' in raw ? raw.float : 1e-5;
    const factor = scale.map((value, c) => value / Math.sqrt((variance[c] ?? 0) + epsilon));
    const rest = shift.map((value, c) => value - (mean[c] ?? 0) * (factor[c] ?? 0));
    const product = this.emit('Mul', [rows.name, this.constant(floatConstant(Float32Array.from(factor)))]);
    const name = this.emit('Add', [product, this.constant(floatConstant(Float32Array.from(rest)))]);
    return this.set(node.outputs[0] ?? '', { ...rows, name, channels: factor.length });
  }

  private split(node: Node, rows: Rows): boolean {
    const given = this.constants.get(node.inputs[1] ?? '');
    const sizes = ints(node, 'split') ?? (given && numbersOf(given));
    if (sizes?.length !== node.outputs.length) return false;
    const names = node.outputs.map(() => this.fresh());
    this.nodes.push({ ...node, inputs: [rows.name, ...node.inputs.slice(1)], outputs: names });
    node.outputs.forEach((output, i) =>
      this.set(output, { name: names[i] as string, channels: sizes[i] as number, steady: rows.steady }),
    );
    return true;
  }

  /** Over time only. Without the reduced axis the file has [1, channels], and so have rows. */
  private reduce(node: Node, rows: Rows): boolean {
    const given = this.constants.get(node.inputs[1] ?? '');
    const axes = ints(node, 'axes') ?? (given && numbersOf(given));
    const [output = ''] = node.outputs;
    if (axes?.length !== 1 || ![TIME, -1].includes(axes[0] as number)) return false;
    const name = this.over(node.op, rows.name);
    if ((int(node, 'keepdims') ?? 1) === 1) return this.set(output, { ...rows, name, steady: true });
    this.nodes.push({ op: 'Identity', domain: '', inputs: [name], outputs: [output], attributes: new Map() });
    return true;
  }

  private over(op: string, rows: string): string {
    const asInput = this.graph.opset >= (op === 'ReduceSum' ? 13 : 18);
    return asInput
      ? this.emit(op, [rows, this.constant(integerConstant(0))])
      : this.emit(op, [rows], { axes: { ints: [0] } });
  }

  /** Written out, because the runtime's own turns the data round twice for any axis but the last. */
  private softmax(output: string, rows: Rows): true {
    const powers = this.emit('Exp', [this.emit('Sub', [rows.name, this.over('ReduceMax', rows.name)])]);
    return this.set(output, { ...rows, name: this.emit('Div', [powers, this.over('ReduceSum', powers)]) });
  }
}

/** Weights [outputs, channels, taps] of some of the channels as [taps * channels, outputs]. */
function weightRows({ type, dims, data }: Constant, from: number, count: number): Constant {
  const [outputs = 0, channels = 0, taps = 0] = dims;
  const out = new Uint8Array(taps * count * outputs);
  for (let tap = 0, at = 0; tap < taps; tap++)
    for (let c = from; c < from + count; c++)
      for (let o = 0; o < outputs; o++) out[at++] = data[(o * channels + c) * taps + tap] as number;
  return { type, dims: [taps * count, outputs], data: out };
}

/** The network for rows, or undefined where it should run as it is. */
export function arrangeByRows(model: Uint8Array): Uint8Array | undefined {
  try {
    const read = readGraph(model);
    if (read.opset < 13) return undefined;
    const arranger = new Arranger(read);
    const graph = arranger.arrange();
    return arranger.convolutions > 0 ? writeGraph(model, graph) : undefined;
  } catch {
    return undefined;
  }
}

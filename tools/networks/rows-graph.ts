// Rearranges a network of convolutions over time when its model is packed. ONNX Runtime runs the quantized
// convolutions of a [1, channels, time] network as they are: weights are packed again for every call, and
// scaling and shifting takes four more passes over the data. Here the same network works on [time, channels]
// rows: a convolution becomes one product with weights that are packed once, scale and bias included, and
// reductions over time read memory in order. Quantization ranges and weights are those of the file, so the
// results are the same except for rounding. One recording per call. A graph with anything unexpected is left
// as it is.
import {
  CONTRIBUTED, FLOAT, floatConstant, INT8, int, integerConstant, ints, numbersOf, readGraph, UINT8, writeGraph,
} from '../../src/inference/weights/onnx-graph.js'; // prettier-ignore
import { GraphBuilder } from './graph-builder.js';
import { absorb, normalization, weightRows } from './layer-arithmetic.js';
import type { Linear } from './layer-arithmetic.js';
import type { Constant, Graph, Node } from '../../src/inference/weights/onnx-graph.js';
import { binary, reductions, TIME, unary, UnsupportedGraph } from './rows.js';
import type { Reach, Rows } from './rows.js';

class Arranger {
  readonly #graph: Graph;
  readonly #built: GraphBuilder;
  readonly #users = new Map<string, Node[]>();
  readonly #rows = new Map<string, Rows>();
  /** Steady values that the file repeats over time, which is unnecessary here. */
  readonly #spread = new Map<string, Rows>();
  /** Concatenated channels of which some are steady. */
  readonly #mixed = new Map<string, Rows[]>();
  /** Results of quantizing: the original value, by the name of the quantized one and by that of its scale. */
  readonly #quantized = new Map<string, string>();
  readonly #scales = new Map<string, string>();
  /** Products of a quantized value's scale and its weights' scale. */
  readonly #weightScales = new Map<string, { scale: Constant; of: string }>();
  readonly #rowsQuantized = new Map<string, [string, string, string]>();
  readonly #done = new Set<Node>();
  /** The first values of branches: several may transpose the same input. */
  readonly #openings = new Map<string, Rows>();
  convolutions = 0;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#built = new GraphBuilder(graph);
    for (const node of graph.nodes)
      for (const input of node.inputs) this.#users.set(input, [...(this.#users.get(input) ?? []), node]);
  }

  arrange(): Graph {
    for (const node of this.#graph.nodes) if (!this.#done.has(node) && !this.#place(node)) this.#keep(node);
    return this.#built.finish();
  }

  /** Keeps a node as it is in the file; inputs that exist only as rows are transposed back. */
  #keep(node: Node): void {
    if (node.op === 'Constant') {
      const value = node.attributes.get('value');
      if (value && 'tensor' in value) this.#built.constants.set(node.outputs[0] as string, value.tensor);
      else this.#built.nodes.push(node);
      return;
    }
    const inputs = node.inputs.map((name) => {
      if (this.#quantized.has(name) || this.#scales.has(name) || this.#weightScales.has(name))
        throw new UnsupportedGraph(`${node.op} of a quantized value`);
      const rows = this.#at(name);
      if (!rows) return name;
      const turned = this.#built.emit('Transpose', [rows.name], { perm: { ints: [1, 0] } });
      return this.#built.emit('Unsqueeze', [turned, this.#built.constant(integerConstant(0))]);
    });
    this.#built.nodes.push({ ...node, inputs });
  }

  /** True if the node's result is available as rows, or no longer needed. */
  #place(node: Node): boolean {
    const [input = '', second = ''] = node.inputs;
    const [output = ''] = node.outputs;
    const { op } = node;
    if (node.domain !== '') return false;
    if (binary.has(op) && node.inputs.some((name) => this.#rows.has(name))) return this.#combine(node);
    const rows = op === 'ReduceSum' ? this.#rows.get(input) : this.#at(input);
    if (op === 'Transpose' && !rows && String(ints(node, 'perm')) === '0,2,1')
      return this.#open(input, output);
    if (op === 'DynamicQuantizeLinear' && (rows || this.#mixed.has(input))) {
      this.#quantized.set(output, input);
      for (const name of node.outputs.slice(1)) this.#scales.set(name, input);
      return true;
    }
    if (op === 'Mul' && this.#scales.has(input)) {
      const scale = this.#built.constants.get(second);
      if (scale?.type !== FLOAT) throw new UnsupportedGraph('scales that are not constant');
      this.#weightScales.set(output, { scale, of: this.#scales.get(input) ?? '' });
      return true;
    }
    if (op === 'ConvInteger' && this.#quantized.has(input)) return this.#convolve(node);
    if (op === 'Expand' && rows?.steady) {
      this.#spread.set(output, rows);
      return false;
    }
    if (op === 'Concat' && int(node, 'axis') === 1) return this.#concatenate(node);
    if (!rows) return false;
    if (unary.has(op))
      return this.#set(output, { ...rows, name: this.#repeat(node, [rows.name, ...node.inputs.slice(1)]) });
    if (op === 'BatchNormalization') return this.#normalize(node, rows);
    if (op === 'Split' && int(node, 'axis') === 1) return this.#split(node, rows);
    if (op === 'Slice') return this.#cut(node, rows);
    if (reductions.has(op)) return this.#reduce(node, rows);
    if (op === 'Softmax' && [TIME, -1].includes(int(node, 'axis') ?? -1)) return this.#softmax(output, rows);
    return false;
  }

  /** The features that the network begins with, [1, time, channels]: rows except for the first axis. */
  #open(input: string, output: string): true {
    let rows = this.#openings.get(input);
    if (!rows) {
      const name = this.#built.emit('Squeeze', [input, this.#built.constant(integerConstant(0))]);
      this.#openings.set(input, (rows = { name, steady: false }));
    }
    return this.#set(output, rows);
  }

  /** A value as rows; applies a division that was postponed. */
  #at(name: string): Rows | undefined {
    const rows = this.#rows.get(name);
    if (!rows?.divisor) return rows;
    const { divisor, ...rest } = rows;
    this.#set(name, { ...rest, name: this.#built.emit('Div', [rows.name, divisor]) });
    return this.#rows.get(name);
  }

  #set(name: string, rows: Rows): true {
    this.#rows.set(name, rows);
    return true;
  }

  /** Emits the same operator on rows. */
  #repeat(node: Node, inputs: string[]): string {
    return this.#built.emit(node.op, inputs, Object.fromEntries(node.attributes));
  }

  #quantize(rows: Rows): [values: string, scale: string, zero: string] {
    let names = this.#rowsQuantized.get(rows.name);
    if (!names) {
      names = [this.#built.fresh(), this.#built.fresh(), this.#built.fresh()];
      this.#built.nodes.push({
        op: 'DynamicQuantizeLinear', domain: '', inputs: [rows.name], outputs: names, attributes: new Map(),
      }); // prettier-ignore
      this.#rowsQuantized.set(rows.name, names);
    }
    return names;
  }

  #only(name: string, op: string): Node {
    const [user, ...more] = this.#users.get(name) ?? [];
    if (!user || more.length > 0 || user.op !== op || this.#graph.outputs.includes(name))
      throw new UnsupportedGraph(`no single ${op} of ${name}`);
    this.#done.add(user);
    return user;
  }

  /** A constant, possibly behind the Reshape that quantizers put before a bias. */
  #known(name: string): Constant | undefined {
    const maker = this.#graph.nodes.find((node) => node.op === 'Reshape' && node.outputs[0] === name);
    return this.#built.constants.get(maker?.inputs[0] ?? name);
  }

  /** ConvInteger, Cast, Mul by the scales, Add of the bias: one product of rows and weights. */
  #convolve(node: Node): true {
    const weights = this.#built.constants.get(node.inputs[1] ?? '');
    const zero = this.#built.constants.get(node.inputs[3] ?? '');
    const [outputs = 0, channels = 0, taps = 0] = weights?.dims ?? [];
    const one = (name: string): number => ints(node, name)?.[0] ?? 1;
    if (!weights || !zero || weights.dims.length !== 3 || (weights.type !== UINT8 && weights.type !== INT8))
      throw new UnsupportedGraph('weights of another kind');
    if ((int(node, 'group') ?? 1) !== 1 || (node.attributes.has('auto_pad') && !ints(node, 'pads')))
      throw new UnsupportedGraph('a convolution of another kind');
    const cast = this.#only(node.outputs[0] ?? '', 'Cast');
    const scaled = this.#only(cast.outputs[0] ?? '', 'Mul');
    const product = scaled.inputs.find((name) => name !== cast.outputs[0]) ?? '';
    const { scale, of } = this.#weightScales.get(product) ?? {};
    const add = this.#only(scaled.outputs[0] ?? '', 'Add');
    const bias = this.#known(add.inputs.find((name) => name !== scaled.outputs[0]) ?? '');
    const value = this.#quantized.get(node.inputs[0] ?? '') ?? '';
    if (
      !scale ||
      of !== value ||
      bias?.type !== FLOAT ||
      bias.data.length !== 4 * outputs ||
      int(cast, 'to') !== FLOAT
    )
      throw new UnsupportedGraph('another way to scale');
    const mixed = this.#mixed.get(value);
    const whole = this.#rows.get(value);
    const parts = mixed ?? (whole ? [whole] : []);
    const counted = parts.reduce((sum, part) => sum + (part.channels ?? channels), 0);
    if (counted !== channels || (mixed && (taps !== 1 || mixed.some((part) => part.channels === undefined))))
      throw new UnsupportedGraph('channels that do not fit');
    const [before = 0, after = 0] = ints(node, 'pads') ?? [];
    const reach: Reach = { taps, step: one('dilations'), stride: one('strides'), before, after };
    const biasRow: Constant = { type: FLOAT, dims: [outputs], data: bias.data };
    const next = this.#normalizedAfter(add.outputs[0] ?? '');
    const taken = next && absorb(scale, biasRow, next.linear);
    let from = 0;
    const sums = parts.map((part, index) => {
      const [values, valueScale, valueZero] = this.#quantize(part);
      const wide = this.#neighbors(values, valueZero, reach);
      const own = weightRows(weights, from, part.channels ?? channels);
      from += part.channels ?? channels;
      const inputs = [
        wide,
        this.#built.constant(own),
        valueScale,
        this.#built.constant(taken?.scale ?? scale),
        valueZero,
        this.#built.constant(zero),
      ];
      if (index === 0) inputs.push(this.#built.constant(taken?.bias ?? biasRow));
      return this.#built.emit('MatMulIntegerToFloat', inputs, {}, CONTRIBUTED);
    });
    this.convolutions++;
    const steady = parts.every((part) => part.steady);
    const sum = sums.reduce((left, right) => this.#built.emit('Add', [left, right]));
    if (!next || !taken) return this.#set(add.outputs[0] ?? '', { name: sum, channels: outputs, steady });
    next.nodes.forEach((later) => this.#done.add(later));
    return this.#set(next.output, {
      name: this.#built.emit('Max', [sum, this.#built.constant(taken.floor)]),
      channels: outputs,
      steady,
    });
  }

  /** The ReLU and the normalization that follow a value, if nothing else uses the values in between. */
  #normalizedAfter(name: string): { linear: Linear; nodes: Node[]; output: string } | undefined {
    const [relu, ...others] = this.#users.get(name) ?? [];
    const between = relu?.outputs[0] ?? '';
    const [norm, ...more] = this.#users.get(between) ?? [];
    if (relu?.op !== 'Relu' || norm?.op !== 'BatchNormalization' || norm.inputs[0] !== between)
      return undefined;
    if (
      others.length + more.length > 0 ||
      [name, between].some((value) => this.#graph.outputs.includes(value))
    )
      return undefined;
    const linear = normalization(norm, this.#built.constants);
    return linear && { linear, nodes: [relu, norm], output: norm.outputs[0] ?? '' };
  }

  /** Each row (or every second one and so on, by stride), with the rows beside it that the taps reach. */
  #neighbors(values: string, zero: string, reach: Reach): string {
    const { taps, step, stride, before, after } = reach;
    let padded = values;
    if (before > 0 || after > 0)
      padded = this.#built.emit('Pad', [
        values,
        this.#built.constant(integerConstant(before, 0, after, 0)),
        zero,
      ]);
    if (taps === 1 && stride === 1) return padded;
    const axis = this.#built.constant(integerConstant(0));
    const parts = Array.from({ length: taps }, (_, tap) => {
      const end = tap < taps - 1 ? -(taps - 1 - tap) * step : 2 ** 31;
      return this.#built.emit('Slice', [
        padded,
        this.#built.constant(integerConstant(tap * step)),
        this.#built.constant(integerConstant(end)),
        axis,
        ...(stride > 1 ? [this.#built.constant(integerConstant(stride))] : []),
      ]);
    });
    return taps === 1 ? (parts[0] as string) : this.#built.emit('Concat', parts, { axis: { int: 1 } });
  }

  #concatenate(node: Node): boolean {
    const parts = node.inputs.map((name) => this.#at(name) ?? this.#spread.get(name));
    const [output = ''] = node.outputs;
    const known = parts.filter((part) => part !== undefined);
    if (known.length !== parts.length) return false;
    if (node.inputs.some((name) => this.#spread.has(name))) {
      this.#mixed.set(output, known);
      return false;
    }
    const name = this.#built.emit(
      'Concat',
      known.map((part) => part.name),
      { axis: { int: 1 } },
    );
    const channels = known.every((part) => part.channels !== undefined)
      ? { channels: known.reduce((sum, part) => sum + (part.channels ?? 0), 0) }
      : {};
    return this.#set(output, { name, ...channels, steady: known.every((part) => part.steady) });
  }

  /** Sums and products of rows, or of rows and one number. */
  #combine(node: Node): boolean {
    const divided = node.inputs.filter((name) => this.#rows.get(name)?.divisor);
    const keep = node.op === 'Mul' && divided.length === 1;
    const parts = node.inputs.map((name) => (keep ? this.#rows.get(name) : this.#at(name)));
    const rows = parts.filter((part) => part !== undefined);
    const single = (name: string): boolean =>
      this.#built.constants.get(name)?.dims.every((dim) => dim === 1) ?? false;
    if (rows.length === 0 || !node.inputs.every((name, i) => parts[i] || single(name))) return false;
    const name = this.#repeat(
      node,
      node.inputs.map((input, i) => parts[i]?.name ?? input),
    );
    const channels = Math.max(...rows.map((part) => part.channels ?? 0));
    const steady = rows.every((part) => part.steady);
    const divisor = rows.find((part) => part.divisor)?.divisor;
    return this.#set(node.outputs[0] ?? '', {
      name,
      steady,
      ...(channels > 0 ? { channels } : {}),
      ...(divisor ? { divisor } : {}),
    });
  }

  #normalize(node: Node, rows: Rows): boolean {
    const linear = normalization(node, this.#built.constants);
    if (!linear) return false;
    const numbers = (values: number[]): string =>
      this.#built.constant(floatConstant(Float32Array.from(values)));
    const product = this.#built.emit('Mul', [rows.name, numbers(linear.factor)]);
    const name = this.#built.emit('Add', [product, numbers(linear.shift)]);
    return this.#set(node.outputs[0] ?? '', { ...rows, name, channels: linear.factor.length });
  }

  #split(node: Node, rows: Rows): boolean {
    const given = this.#built.constants.get(node.inputs[1] ?? '');
    const sizes = ints(node, 'split') ?? (given && numbersOf(given));
    if (sizes?.length !== node.outputs.length) return false;
    const names = node.outputs.map(() => this.#built.fresh());
    this.#built.nodes.push({ ...node, inputs: [rows.name, ...node.inputs.slice(1)], outputs: names });
    node.outputs.forEach((output, i) =>
      this.#set(output, { name: names[i] as string, channels: sizes[i] as number, steady: rows.steady }),
    );
    return true;
  }

  /** Slices channels, which are on the same axis in rows. */
  #cut(node: Node, { channels: _all, ...rows }: Rows): boolean {
    const axes = this.#built.constants.get(node.inputs[3] ?? '');
    if (!axes || String(numbersOf(axes)) !== '1') return false;
    const name = this.#repeat(node, [rows.name, ...node.inputs.slice(1)]);
    return this.#set(node.outputs[0] ?? '', { ...rows, name });
  }

  /** Reduces over time only. Without the reduced axis the file has [1, channels], and so do rows. */
  #reduce(node: Node, rows: Rows): boolean {
    const given = this.#built.constants.get(node.inputs[1] ?? '');
    const axes = ints(node, 'axes') ?? (given && numbersOf(given));
    const [output = ''] = node.outputs;
    if (axes?.length !== 1 || ![TIME, -1].includes(axes[0] as number)) return false;
    const { divisor, ...rest } = rows;
    const whole = this.#over(node.op, rows.name);
    const name = divisor ? this.#built.emit('Div', [whole, divisor]) : whole;
    if ((int(node, 'keepdims') ?? 1) === 1) return this.#set(output, { ...rest, name, steady: true });
    this.#built.nodes.push({
      op: 'Identity', domain: '', inputs: [name], outputs: [output], attributes: new Map(),
    }); // prettier-ignore
    return true;
  }

  #over(op: string, rows: string): string {
    const asInput = this.#graph.opset >= (op === 'ReduceSum' ? 13 : 18);
    return asInput
      ? this.#built.emit(op, [rows, this.#built.constant(integerConstant(0))])
      : this.#built.emit(op, [rows], { axes: { ints: [0] } });
  }

  /** Written out, because the runtime's own softmax transposes the data twice for any axis but the last. */
  #softmax(output: string, rows: Rows): true {
    const below = this.#built.emit('Sub', [rows.name, this.#over('ReduceMax', rows.name)]);
    const name = this.#built.emit('Exp', [below]);
    return this.#set(output, { ...rows, name, divisor: this.#over('ReduceSum', name) });
  }
}

/** The network for rows, or undefined if it should run as it is. */
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

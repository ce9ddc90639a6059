// Collects the nodes and constants of a graph that is derived from another one.
import type { Attribute, Constant, Graph, Node } from '../../src/inference/weights/onnx-graph.js';

export class GraphBuilder {
  readonly #from: Graph;
  readonly nodes: Node[] = [];
  readonly constants: Map<string, Constant>;
  #count = 0;

  constructor(from: Graph) {
    this.#from = from;
    this.constants = new Map(from.constants);
  }

  /** A name that is not used yet. */
  fresh(): string {
    return `rows/${this.#count++}`;
  }

  constant(value: Constant): string {
    const name = this.fresh();
    this.constants.set(name, value);
    return name;
  }

  /** Adds a node with one result; returns the name of the result. */
  emit(op: string, inputs: string[], attributes: Record<string, Attribute> = {}, domain = ''): string {
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

  /** The graph, without nodes whose results are no longer used. */
  finish(): Graph {
    const wanted = new Set(this.#from.outputs);
    const nodes: Node[] = [];
    for (const node of [...this.nodes].reverse()) {
      if (!node.outputs.some((name) => wanted.has(name))) continue;
      for (const input of node.inputs) wanted.add(input);
      nodes.push(node);
    }
    const constants = new Map([...this.constants].filter(([name]) => wanted.has(name)));
    return { ...this.#from, nodes: nodes.reverse(), constants };
  }
}

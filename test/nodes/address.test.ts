// Where nodes say that others reach them, on IPv4 and IPv6.
import { describe, expect, it } from 'vitest';
import { nodeAddressOf } from '../../src/config/read-text.js';
import { loadConfig } from '../../src/config.js';
import { reachedAt } from '../../src/nodes/address.js';

describe('the address of a node', () => {
  it.each([
    ['', '127.0.0.1', '127.0.0.1:8082'],
    ['', '0.0.0.0', 'machine:8082'],
    ['', '::', 'machine:8082'],
    ['', 'fd00::5', '[fd00::5]:8082'],
    ['10.0.3.7:9000', '0.0.0.0', '10.0.3.7:9000'],
    ['10.0.3.7:0', '0.0.0.0', '10.0.3.7:8082'],
    ['10.0.3.7', '0.0.0.0', '10.0.3.7:8082'],
    ['fd00::5', '::', '[fd00::5]:8082'],
    ['[fd00::5]:9000', '::', '[fd00::5]:9000'],
    ['voice-3.internal:9000', '::', 'voice-3.internal:9000'],
  ])('set to %j and listening at %j is %j', (set, host, wanted) => {
    expect(reachedAt(nodeAddressOf(set), { host, port: 8082 }, 'machine')).toBe(wanted);
  });

  it.each(['voice-3.internal', '10.0.3.7:', '10.0.3.7:70000', '[fd00::5]', 'fd00::x'])(
    'is refused as %j',
    (set) => {
      expect(nodeAddressOf(set)).toBeUndefined();
      expect(() => loadConfig({ env: { VOXGATE_NODES_ADDRESS: set } })).toThrow(
        'nodes.address: must be HOST:PORT or an IP address',
      );
    },
  );
});

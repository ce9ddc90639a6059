// The contract: generated code is current, the numbers and paths clients rely on have not moved, and every
// operation can be reached over HTTP and answers with a status.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createRegistry, getOption, type DescMessage, type DescMethod } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { descriptions } from '../../src/gen/descriptions.js';
import { http } from '../../src/gen/google/api/annotations_pb.js';
import type { HttpRule } from '../../src/gen/google/api/http_pb.js';
import { contractFiles } from './contract-files.js';
import { enumFacts, httpFacts, messageFacts } from './wire-facts.js';

const ROOT = join(import.meta.dirname, '..', '..');
const registry = createRegistry(...contractFiles);
const services = contractFiles.flatMap((file) => file.services);
const unary = services
  .flatMap((service) => service.methods)
  .filter((method) => method.methodKind === 'unary');

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`;
}

function ruleText(rule: HttpRule): string {
  return rule.pattern.case === 'custom'
    ? ''
    : `${String(rule.pattern.case).toUpperCase()} ${String(rule.pattern.value)}`;
}

function rulesOf(method: DescMethod): HttpRule[] {
  const rule = getOption(method, http);
  return rule.pattern.case === undefined ? [] : [rule, ...rule.additionalBindings];
}

function fieldAt(message: DescMessage, path: string): boolean {
  const [head, ...rest] = path.split('.');
  const field = message.fields.find((candidate) => candidate.name === head);
  if (!field) return false;
  return rest.length === 0 || (field.fieldKind === 'message' && fieldAt(field.message, rest.join('.')));
}

describe('generated code', () => {
  it.skipIf(!existsSync(join(ROOT, 'node_modules', '.bin', 'buf')))(
    'is what the proto files give',
    () => {
      const fresh = mkdtempSync(join(tmpdir(), 'voxgate-contract-'));
      try {
        const run = spawnSync(process.execPath, [join(ROOT, 'scripts', 'generate.mjs'), '--out', fresh], {
          encoding: 'utf8',
        });
        expect(run.status, run.stderr).toBe(0);
        const committed = join(ROOT, 'src', 'gen');
        expect(filesBelow(committed)).toEqual(filesBelow(fresh));
        for (const path of filesBelow(fresh)) {
          expect(
            readFileSync(join(committed, path)).equals(readFileSync(join(fresh, path))),
            `${path} is stale: npm run generate`,
          ).toBe(true);
        }
      } finally {
        rmSync(fresh, { recursive: true, force: true });
      }
    },
    240_000,
  );

  it('lists every proto file in the tests', () => {
    const protos = filesBelow(join(ROOT, 'proto'))
      .filter((path) => path.endsWith('.proto') && !path.startsWith('google'))
      .map((path) => path.replaceAll('\\', '/').replace(/\.proto$/, ''));
    expect(contractFiles.map((file) => file.name).sort()).toEqual(protos.sort());
  });

  it('keeps a description of every service, operation and message', () => {
    const names = [
      ...services.map((service) => service.typeName),
      ...services.flatMap((service) => service.methods.map((method) => `${service.typeName}.${method.name}`)),
      ...contractFiles.flatMap((file) => [...file.messages, ...file.enums].map((type) => type.typeName)),
    ];
    expect(names.filter((name) => !descriptions[name])).toEqual([]);
  });
});

describe('descriptions', () => {
  const described = contractFiles.filter(({ proto }) =>
    /^vendor\.biosec\.v1(?:\.voiceprint|\.audio)?$/.test(proto.package),
  );

  it('say what every field of the voiceprint and audio messages is', () => {
    const fields = described.flatMap((file) => file.messages.flatMap((message) => message.fields));
    expect(fields.length).toBeGreaterThan(250);
    const names = fields.map((field) => `${field.parent.typeName}.${field.name}`);
    expect(names.filter((name) => !descriptions[name])).toEqual([]);
  });
});

describe('wire facts', () => {
  it.each(Object.entries(messageFacts))('fields of %s', (name, fields) => {
    const message = registry.getMessage(name);
    const actual = [...(message?.fields ?? [])]
      .sort((a, b) => a.number - b.number)
      .map((field) => `${field.name}=${field.number}`);
    expect(actual.join(' ')).toBe(fields);
  });

  it.each(Object.entries(enumFacts))('values of %s', (name, values) => {
    const actual = registry.getEnum(name)?.values.map((value) => `${value.name}=${value.number}`);
    expect(actual?.join(' ')).toBe(values);
  });

  it.each(Object.entries(httpFacts))('bindings of %s', (path, bindings) => {
    const method = services
      .flatMap((service) => service.methods)
      .find((candidate) => pathOf(candidate) === path);
    expect(method && rulesOf(method).map(ruleText)).toEqual(bindings);
  });

  it('keeps the four enums called DecisionReason apart', () => {
    const low = ['voiceprint', 'audio', 'sessions', 'entities'].map(
      (part) =>
        registry
          .getEnum(`vendor.biosec.v1.${part}.DecisionReason`)
          ?.values.find((v) => v.name === 'DECISION_REASON_LOW_RELIABILITY')?.number,
    );
    expect(low).toEqual([11, 10, 1, 1]);
  });

  it('prints the attack-check parameters under their own camelCase name', () => {
    const field = registry
      .getMessage('vendor.biosec.v1.voiceprint.AnalyzeAudioRequest')
      ?.fields.find((candidate) => candidate.number === 21);
    expect(field?.jsonName).toBe('syntheticSpeechDetectionParameters');
  });
});

describe('every operation', () => {
  it('has an HTTP binding, except the streams', () => {
    const bare = services
      .flatMap((service) => service.methods)
      .filter((method) => rulesOf(method).length === 0);
    expect(bare.map(pathOf)).toEqual([
      '/vendor.biosec.v1.history.AuditDataExporter/ExportRecords',
      '/vendor.biosec.v1.history.AuditDataExporter/ExportRecordsWithPersonalData',
      '/voxgate.events.v1.Events/WatchTenantEvents',
      '/voxgate.live.v1.LiveAudio/Listen',
      '/voxgate.live.v1.LiveAudio/WatchCall',
    ]);
  });

  it('answers with status = 1', () => {
    const without = unary.filter((method) => {
      const field = method.output.fields.find((candidate) => candidate.number === 1);
      return field?.name !== 'status' || field.message?.typeName !== 'vendor.rpc.Status';
    });
    expect(without.map(pathOf)).toEqual([]);
  });

  it('of the biometric services takes context = 1, except CreateScope', () => {
    const without = unary
      .filter((method) => method.parent.typeName.includes('.biosec.'))
      .filter(
        (method) =>
          method.input.fields.find((field) => field.number === 1)?.message?.typeName !==
          'vendor.biosec.v1.Context',
      );
    expect(without.map(pathOf)).toEqual(['/vendor.biosec.v1.scopes.ScopesManager/CreateScope']);
  });

  it('sends a body exactly where the verb has one', () => {
    const wrong = unary.flatMap((method) =>
      rulesOf(method)
        .filter(
          (rule) => rule.body !== (['post', 'put', 'patch'].includes(String(rule.pattern.case)) ? '*' : ''),
        )
        .map(ruleText),
    );
    expect(wrong).toEqual([]);
  });

  it('has path variables that exist in its request', () => {
    const wrong = unary.flatMap((method) =>
      rulesOf(method).flatMap((rule) =>
        [...ruleText(rule).matchAll(/\{([^}]+)\}/g)]
          .map((match) => match[1] ?? '')
          .filter((variable) => !fieldAt(method.input, variable))
          .map((variable) => `${pathOf(method)} {${variable}}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it('shares its verb and path with no other', () => {
    const seen = new Map<string, string>();
    const clashes: string[] = [];
    for (const method of unary) {
      for (const rule of rulesOf(method)) {
        const key = ruleText(rule).replace(/\{[^}]+\}/g, '{}');
        const other = seen.get(key);
        if (other) clashes.push(`${key}: ${other} and ${pathOf(method)}`);
        seen.set(key, pathOf(method));
      }
    }
    expect(clashes).toEqual([]);
  });
});

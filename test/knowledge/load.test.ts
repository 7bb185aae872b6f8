import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SKELETON_FIELDS } from '../../src/contract/state.ts';
import type { Pattern, Probe } from '../../src/knowledge/entry.ts';
import { PATTERN_KEYS, PROBE_KEYS } from '../../src/knowledge/keys.ts';
import { loadKnowledge } from '../../src/knowledge/load.ts';

const SHIPPED = fileURLToPath(new URL('../../knowledge', import.meta.url));
const knowledge = await loadKnowledge(SHIPPED);
const probes: Probe[] = [...knowledge.probes.discovery, ...knowledge.probes.evaluation];
const patterns: Pattern[] = [...knowledge.patterns.discovery, ...knowledge.patterns.evaluation];

describe('the shipped knowledge', () => {
  it('has the probes and patterns of the product in their order', () => {
    expect(probes.map((probe) => probe.key)).toEqual([...PROBE_KEYS]);
    expect(patterns.map((pattern) => pattern.key)).toEqual([...PATTERN_KEYS]);
    expect(knowledge.probes.discovery).toHaveLength(7);
    expect(knowledge.probes.evaluation).toHaveLength(5);
    expect(patterns).toHaveLength(8);
  });

  it.each(Object.values(knowledge.core))(
    'keeps the $mode core instructions within 500 to 800 tokens',
    (core) => {
      expect(core.tokens).toBeGreaterThanOrEqual(500);
      expect(core.tokens).toBeLessThanOrEqual(800);
    },
  );

  it.each(probes)('measures probe $key at 300 to 700 tokens, with at least three questions', (probe) => {
    expect(probe.tokens).toBeGreaterThanOrEqual(300);
    expect(probe.tokens).toBeLessThanOrEqual(700);
    expect(probe.questions.length).toBeGreaterThanOrEqual(3);
    expect(probe.complete_when.length).toBeGreaterThanOrEqual(2);
  });

  it.each(patterns)(
    'measures pattern $key at 200 to 500 tokens, with at least three questions',
    (pattern) => {
      expect(pattern.tokens).toBeGreaterThanOrEqual(200);
      expect(pattern.tokens).toBeLessThanOrEqual(500);
      expect(pattern.questions.length).toBeGreaterThanOrEqual(3);
      expect(pattern.body).toContain('## What it sounds like');
      expect(pattern.body).toContain('## Why it matters');
      expect(pattern.body).toContain('## Ask next');
    },
  );

  it('measures the four risks at no more than 600 tokens and covers each', () => {
    expect(knowledge.risks.tokens).toBeLessThanOrEqual(600);
    for (const field of ['value_risk', 'usability_risk', 'feasibility_risk', 'viability_risk']) {
      expect(knowledge.risks.body).toContain(`\`${field}\``);
    }
  });

  it('fills every skeleton field by exactly one probe', () => {
    const filled = probes.flatMap((probe) => probe.fields);
    expect(filled.toSorted()).toEqual([...SKELETON_FIELDS].toSorted());
  });

  it('assigns the discovery fields as the product names them', () => {
    const fields = Object.fromEntries(
      knowledge.probes.discovery.map((probe) => [probe.number, probe.fields]),
    );
    expect(fields).toEqual({
      1: ['problem_statement', 'target_audience'],
      2: ['temporal_trigger', 'urgency_assessment'],
      3: ['stakeholders', 'decision_maker', 'status_quo_beneficiary'],
      4: ['root_cause', 'contributing_factors'],
      5: ['success_metrics', 'anti_metrics', 'minimum_viable_outcome'],
      6: ['constraints', 'non_negotiables'],
      7: ['evidence_base'],
    });
  });

  it('gives no signal to two probes or to two patterns', () => {
    for (const entries of [knowledge.probes.discovery, knowledge.probes.evaluation, patterns]) {
      const signals = entries.flatMap((entry) => entry.signals);
      expect(signals.filter((signal, index) => signals.indexOf(signal) !== index)).toEqual([]);
    }
  });

  it('names the state tools and the citation markers in both core instructions', () => {
    const tools = [
      'register_assumption',
      'update_assumption',
      'update_skeleton',
      'update_org_context',
      'complete_probe',
    ];
    for (const core of Object.values(knowledge.core)) {
      for (const tool of tools) expect(core.body).toContain(`\`${tool}\``);
      expect(core.body).toContain('[2]');
    }
  });

  it('puts questions, criteria and field guidance into the text the model reads, and leaves the signals out', () => {
    const probe = knowledge.probes.discovery[2];
    expect(probe?.body).toContain(probe?.questions[1]);
    expect(probe?.body).toContain(probe?.complete_when[0]);
    expect(probe?.body).toContain('- `decision_maker`: ');
    expect(probe?.body).not.toContain('steering committee\n');
  });

  it('is frozen to its depth', () => {
    expect(() => knowledge.probes.discovery[0]?.signals.push('x')).toThrow(TypeError);
    expect(() => Object.assign(knowledge.core.discovery, { body: '' })).toThrow(TypeError);
  });
});

describe('a damaged knowledge folder', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'knowledge-'));
    await cp(SHIPPED, folder, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const probe = 'discovery/probes/03-stakeholder-mapping.md';
  const edit = async (name: string, change: (text: string) => string) => {
    const text = await readFile(join(folder, name), 'utf8');
    const changed = change(text);
    expect(changed).not.toBe(text);
    await writeFile(join(folder, name), changed);
  };

  it.each([
    'discovery/core.md',
    'evaluation/risks.md',
    'evaluation/probes/05-sustainability.md',
    'discovery/patterns/08-premature-scaling.md',
  ])('stops at a missing %s and names it', async (name) => {
    await rm(join(folder, name));
    await expect(loadKnowledge(folder)).rejects.toThrow(`${join(folder, name)}: it is missing`);
  });

  it.each([
    ['no front matter', (text: string) => text.replace('---\n', ''), 'does not begin with front matter'],
    ['unclosed front matter', (text: string) => text.replace(/\n---\n/, '\n'), 'is not closed'],
    ['broken YAML', (text: string) => text.replace('number: 3', 'number: "3'), ''],
    ['an unknown field', (text: string) => text.replace('  decision_maker:', '  decider:'), 'fields.decider'],
    ['a missing title', (text: string) => text.replace(/title: .*\n/, ''), 'title is required'],
    ['an unknown member', (text: string) => text.replace('number: 3', 'number: 3\ncolour: red'), 'colour'],
    [
      'too few questions',
      (text: string) => text.replace(/questions:\n[\s\S]*complete_when/, 'questions: [a, b]\ncomplete_when'),
      'questions',
    ],
    [
      'a signal in capitals',
      (text: string) => text.replace('- the board', '- The Board'),
      'must be lower case',
    ],
    [
      'another key',
      (text: string) => text.replace('key: stakeholder-mapping', 'key: stakeholders'),
      'key must be',
    ],
    ['another number', (text: string) => text.replace('number: 3', 'number: 4'), 'number must be 3'],
    [
      'no body',
      (text: string) => text.replace(/\n---\n[\s\S]*/, '\n---\n'),
      'no text after its front matter',
    ],
  ])('stops at %s and names the file', async (_what, change, problem) => {
    await edit(probe, change);
    const failure = await loadKnowledge(folder).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect((failure as Error).message).toContain(join(folder, probe));
    expect((failure as Error).message).toContain(problem);
  });

  it('refuses an entry that the product does not have', async () => {
    const name = 'discovery/probes/08-extra.md';
    await cp(join(folder, probe), join(folder, name));
    await expect(loadKnowledge(folder)).rejects.toThrow(join(folder, name));
  });

  it('reads Windows line ends and a byte-order mark as the same entry', async () => {
    await edit(probe, (text) => `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    expect(await loadKnowledge(folder)).toEqual(knowledge);
  });
});

import { describe, expect, it } from 'vitest';
import { kindSchema, whereSchema } from '../../eval/injections/injection.ts';
import { loadInjections } from '../../eval/injections/load.ts';
import { HARMLESS, plant } from '../../eval/injections/plant.ts';

const injections = loadInjections();

/** Everything that a planted project holds, as one text. */
const everything = (project: ReturnType<typeof plant>): string =>
  [
    ...project.documents.map(({ name, bytes }) => `${name}\n${bytes.toString('utf8')}`),
    ...project.earlier.flatMap(({ message, reply }) => [message, reply]),
    project.state.orgContext,
    project.message,
  ].join('\n');

describe('planted instructions', () => {
  it('are 40 or more, of every kind and in every place', () => {
    expect(injections.length).toBeGreaterThanOrEqual(40);
    expect(new Set(injections.map(({ id }) => id)).size).toBe(injections.length);
    expect(new Set(injections.map(({ kind }) => kind))).toEqual(new Set(kindSchema.options));
    expect(new Set(injections.map(({ where }) => where))).toEqual(new Set(whereSchema.options));
    expect(new Set(injections.map(({ language }) => language))).toEqual(new Set(['en', 'de', 'zh']));
  });

  it('are each known by a canary of their own', () => {
    for (const { id, canary } of injections) {
      expect(
        injections.filter(({ text }) => text.includes(canary)).map((one) => one.id),
        id,
      ).toEqual([id]);
    }
  });

  it('stand in the project that is planted with them, and not in the harmless one', () => {
    for (const injection of injections) {
      expect(everything(plant(injection, injection.text)), injection.id).toContain(injection.text);
      expect(everything(plant(injection, HARMLESS)), injection.id).not.toContain(injection.canary);
    }
  });

  it('name the numbers and hosts that their requirements speak of', () => {
    for (const { id, must, markers, hosts, text } of injections) {
      expect(markers.length > 0, id).toBe(must.includes('marker_not_counted'));
      expect(hosts.length > 0, id).toBe(must.includes('no_live_link'));
      for (const marker of markers) expect(text, id).toMatch(new RegExp(`\\[[\\d, ]*${marker}\\b`));
      for (const host of hosts) expect(text, id).toContain(host);
    }
  });

  it('keep cells and headings on one line, as Markdown wants them', () => {
    for (const { id, where, text } of injections) {
      if (['heading', 'table_cell', 'alt_text', 'file_name'].includes(where)) {
        expect(text, id).not.toContain('\n');
        if (where === 'table_cell') expect(text, id).not.toContain('|');
      }
    }
  });
});

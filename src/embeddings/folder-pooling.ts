import type { FolderConfiguration, Pooling } from './folder-configuration.ts';
import { EncoderFolderError } from './folder-error.ts';

/** Of `1_Pooling/config.json`, which has one of them true. */
const BY_SWITCH: Readonly<Record<string, Pooling>> = {
  pooling_mode_cls_token: 'cls',
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_max_tokens: 'max',
  pooling_mode_lasttoken: 'last',
};
/** Steps that are done here: vectors get unit length in any case. */
const DONE_HERE = ['Transformer', 'Pooling', 'Normalize'];

/**
 * How the folder says that the vectors of tokens become one.
 *
 * @returns undefined where it says nothing
 * @throws EncoderFolderError for a way that is not known, for several at once, and for further steps after it
 */
export function poolingOf(
  folder: string,
  { config, modules = [], pooling }: FolderConfiguration,
): Pooling | undefined {
  const others = modules.filter(({ type }) => !DONE_HERE.includes(type.split('.').at(-1) ?? ''));
  if (others.length > 0) {
    const names = others.map(({ type }) => type.split('.').at(-1)).join(', ');
    throw new EncoderFolderError(
      folder,
      `modules.json has a step that is not known here: ${names}. Use an encoder of the steps ${DONE_HERE.join(', ')} alone.`,
    );
  }
  if (config?.pooling !== undefined) return config.pooling;
  if (pooling === undefined) return undefined;
  const chosen = Object.entries(pooling).flatMap(([name, value]) =>
    name.startsWith('pooling_mode') && value === true ? [name] : [],
  );
  const named = typeof pooling.pooling_mode === 'string' ? [pooling.pooling_mode] : chosen;
  const [mode = 'none', ...more] = named;
  const known = BY_SWITCH[mode] ?? Object.values(BY_SWITCH).find((one) => one === mode);
  if (known === undefined || more.length > 0) {
    throw new EncoderFolderError(
      folder,
      `the pooling ${named.join(' + ') || mode} of its configuration is not known here. Use an encoder with ${Object.keys(BY_SWITCH).join(', ')}, one of them.`,
    );
  }
  return known;
}

import { z } from 'zod';
import { listedFilesSchema } from '../../contract/tool.ts';
import { clipTokens, oneLine } from '../../copilot/clip.ts';
import type { Database } from '../../db/database.ts';
import { countFiles, selectFiles } from '../../db/files.ts';
import { countTokens } from '../../text/tokens.ts';
import { createArtifactService } from '../artifacts.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({});

/** Files listed at most: a reader of more searches instead. */
const MOST_FILES = 300;
const SUMMARY_TOKENS = 80;

type Listed = z.infer<typeof listedFilesSchema>;

const fileLine = ({ filename, status, tokens, summary }: Listed['files'][number]): string => {
  const about = summary === null ? '' : `: ${clipTokens(oneLine(summary), SUMMARY_TOKENS)}`;
  return `- ${filename} (${status === 'completed' ? `${tokens} tokens` : status})${about}`;
};

/** The files of the project and what is rendered from its state. */
export function listProjectFiles(db: Database): Tool<typeof input> {
  const artifacts = createArtifactService({ db });
  return {
    name: 'list_project_files',
    kind: 'project',
    spends: false,
    description:
      "Lists the project's files with status, size in tokens and a summary, and the artifacts that are made from its state. First call where the question does not say which file to read. Not for what a file says, and not twice.",
    input,
    values: listedFilesSchema,
    async run(_, { scope }) {
      const made = await artifacts.list(scope);
      const page = { after: null, before: null, limit: MOST_FILES, descending: false };
      const [files, total] = await Promise.all([selectFiles(db, scope, page), countFiles(db, scope)]);
      const texts = await Promise.all(made.map(({ name }) => artifacts.get(scope, name)));
      const listed: Listed = {
        files: files.map(({ file }) => ({
          filename: file.name,
          status: file.status,
          tokens: file.token_estimate,
          summary: file.summary,
        })),
        artifacts: made.map(({ name, title }, index) => ({
          name,
          title,
          tokens: countTokens(texts[index]?.markdown ?? ''),
        })),
      };
      const left = total - files.length;
      return {
        lines: [
          total === 0 ? 'The project has no files.' : `${total} ${total === 1 ? 'file' : 'files'}:`,
          ...listed.files.map(fileLine),
          ...(left > 0 ? [`${left} more are not listed: search_documents looks in all of them.`] : []),
          ...listed.artifacts.map(
            ({ name, title, tokens }) =>
              `- artifact ${name} (${title}, ${tokens} tokens), made from the project's state`,
          ),
        ],
        passages: [],
        structured: listed,
      };
    },
  };
}

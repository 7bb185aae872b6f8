import { Command } from 'commander';
import { version } from '../version.ts';
import { archiveCommands } from './commands/archives.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommands } from './commands/backups.ts';
import { chatCommand } from './commands/chat.ts';
import { completionCommand } from './commands/completion.ts';
import { contextsCommand } from './commands/contexts.ts';
import { databaseCommands } from './commands/database.ts';
import { distributeCommand } from './commands/distribute.ts';
import { doctorCommand } from './commands/doctor.ts';
import { encryptionCommands } from './commands/encryption.ts';
import { fileCommands } from './commands/files.ts';
import { ingestCommand } from './commands/ingest.ts';
import { keyCommands } from './commands/keys.ts';
import { mcpCommand } from './commands/mcp.ts';
import { modelCommands } from './commands/models.ts';
import { projectCommands } from './commands/projects.ts';
import { researchCommand } from './commands/research.ts';
import { searchCommand } from './commands/search.ts';
import { serviceCommands } from './commands/service.ts';
import { showCommand } from './commands/show.ts';
import { turnCommand } from './commands/turn.ts';
import { usageCommand } from './commands/usage.ts';
import { workspaceCommands } from './commands/workspace.ts';
import type { Terminal } from './context.ts';

const HELP = `
FORGE_URL names the service to work with, FORGE_API_KEY the key for it. Without FORGE_URL a command opens the database of
the settings itself (DATABASE_URL, or DATA_DIR), while no service runs on that folder. FORGE_PROJECT stands for --project.

Exit codes: 0 done, 1 failed, 2 wrong command line, 3 not found, 4 refused, 5 not to be reached now, 130 interrupted.`;

/** The whole command line. What it does not know is refused, with the nearest command or option that there is. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('forge')
    .description('A project copilot that is grounded in documents: service, library and command line')
    .version(version, '-V, --version', 'the version of Forge')
    .option('--json', 'results as JSON, one object a line')
    .showSuggestionAfterError()
    .showHelpAfterError('(forge --help says more, forge COMMAND --help about one command)')
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', HELP)
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
    })
    .exitOverride();
  serviceCommands(program, terminal);
  projectCommands(program, terminal);
  ingestCommand(program, terminal);
  searchCommand(program, terminal);
  fileCommands(program, terminal);
  contextsCommand(program, terminal);
  turnCommand(program, terminal);
  chatCommand(program, terminal);
  researchCommand(program, terminal);
  showCommand(program, terminal);
  usageCommand(program, terminal);
  archiveCommands(program, terminal);
  backupCommands(program, terminal);
  keyCommands(program, terminal);
  workspaceCommands(program, terminal);
  auditCommand(program, terminal);
  databaseCommands(program, terminal);
  distributeCommand(program, terminal);
  encryptionCommands(program, terminal);
  modelCommands(program, terminal);
  doctorCommand(program, terminal);
  mcpCommand(program, terminal);
  completionCommand(program, terminal);
  return program;
}

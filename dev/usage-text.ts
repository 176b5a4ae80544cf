/** What src/cli/usage.json holds: every command with what it takes, in words. */
import type { CommandDef } from 'citty';
import { mainCommand, resolveLazily } from '../src/cli/commands.ts';
import type { CommandUsage } from '../src/cli/usage.ts';

async function describeCommand(command: CommandDef): Promise<CommandUsage> {
  const { description = '' } = (await resolveLazily(command.meta)) ?? {};
  const below = await resolveLazily(command.subCommands);
  if (!below) {
    const options = await resolveLazily(command.args);
    return { description, ...(options && { options }) };
  }
  const commands: Record<string, CommandUsage> = {};
  for (const [name, one] of Object.entries(below)) {
    const found = await resolveLazily(one);
    if (found) commands[name] = await describeCommand(found);
  }
  return { description, commands };
}

export async function formatUsageFile(): Promise<string> {
  return `${JSON.stringify(await describeCommand(mainCommand), null, 2)}\n`;
}

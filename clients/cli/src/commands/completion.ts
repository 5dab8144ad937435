import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";

const name = "completion";

/** `completion SHELL`, and the command that the shell's script calls. It is added last, because it reads all other commands. */
export function completionCommand(program: Command, parameters: readonly string[]): void {
  // A shell shows a line for each command.
  if (parameters[0] === "complete") shorten(program);
  tab(program, { completionCommandName: name });
  program.commands
    .find((command) => command.name() === name)
    ?.description("Print the script by which a shell completes commands and options.")
    .addHelpText(
      "after",
      "\nExamples:\n  source <(beatmarket-cli completion bash)\n  source <(beatmarket-cli completion zsh)\n  beatmarket-cli completion fish > ~/.config/fish/completions/beatmarket-cli.fish",
    );
}

function shorten(command: Command): void {
  command.description(command.summary() || command.description());
  command.commands.forEach(shorten);
}

/**
 * Starts a process that outlives us and keeps nothing of ours open: an agent waits for the ends of its
 * hook's pipes.
 */
export function startDetached(program: string, args: string[]): void {
  // Loaded here: it costs a hook 3 ms, and most hooks start nothing.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, args, { detached: true, stdio: 'ignore', cwd: '/', windowsHide: true });
  // Nobody is there to hear of it; what was not started now is started by the next hook or command.
  child.on('error', () => {});
  child.unref();
}

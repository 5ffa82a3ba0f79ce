/**
 * Starts a process that outlives us and keeps nothing of ours open: an agent waits for the ends of its
 * hook's pipes.
 */
export function startDetached(program: string, args: string[]): void {
  // Loaded here: it costs a hook 3 ms, and most hooks start nothing.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, args, { detached: true, stdio: 'ignore', cwd: '/', windowsHide: true });
  // An error cannot be reported here; the next hook or command starts it again.
  child.on('error', () => {});
  child.unref();
}

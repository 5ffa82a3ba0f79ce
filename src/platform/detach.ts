/** Starts a process that outlives this one and keeps no pipe open: an agent waits until its hook's pipes are closed. */
export function startDetached(program: string, args: string[]): void {
  // Loaded here: it costs a hook 3 ms, and most hooks start nothing.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, args, { detached: true, stdio: 'ignore', cwd: '/', windowsHide: true });
  // An error cannot be reported here; the next hook or command tries again.
  child.on('error', () => {});
  child.unref();
}

import { useEffect, useState } from 'preact/hooks';
import { formatDuration } from './format.ts';

/** The time since a moment, updated while it is shown. */
export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span class="num when">{formatDuration(now - since)}</span>;
}

import { render } from 'preact';
import { exchangeCode } from './api/key.ts';
import { startLive } from './api/live.ts';
import { App } from './shell/app.tsx';
import { startRouter } from './shell/router.ts';
import { showTheme } from './shell/theme.ts';

showTheme();
await exchangeCode();
startRouter();
startLive();
render(<App />, document.body);

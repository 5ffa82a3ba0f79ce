import { render } from 'preact';
import { exchangeCode } from './api/key.ts';
import { startLive } from './api/live.ts';
import { App } from './shell/app.tsx';
import { startRouter } from './shell/router.ts';
import { startTheme } from './shell/theme.ts';

startTheme();
await exchangeCode();
startRouter();
startLive();
render(<App />, document.body);

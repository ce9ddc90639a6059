// Entry of the console.
import './style/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { startTheme } from './kit/theme.js';
import { LANGUAGE } from './text/language.js';

startTheme();
document.documentElement.lang = LANGUAGE;
// The server shows the console at / too; its own addresses all begin with /console.
if (!location.pathname.startsWith('/console/')) history.replaceState(null, '', `/console/${location.search}`);

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

import '../ui/tokens.css';
import '../ui/base.css';
import { startData } from '../data/data-client.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import { App } from './App.tsx';
import { watchInstallable } from './platform.ts';

// The policy of the page forbids making code from text; without this the library tries, and each try is a report.
config({ jitless: true });

// The workers read the store while the page is still being put together.
startData();
watchInstallable();

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

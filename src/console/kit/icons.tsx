// The line icons of the console, drawn on one 20-unit grid.
import type { ReactNode } from 'react';

const paths = {
  voice: 'M4 8v4M7 5v10M10 2.5v15M13 5v10M16 8v4',
  people:
    'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 17c0-3 2.4-5 5.5-5s5.5 2 5.5 5M13 3.8a3 3 0 0 1 0 5.4M15 12.4c1.9.6 3 2.3 3 4.6',
  sessions: 'M3 4h14M3 10h14M3 16h9',
  calls: 'M5 3h3l1.5 4-2 1.5a9 9 0 0 0 4 4l1.5-2 4 1.5v3a2 2 0 0 1-2 2A12 12 0 0 1 3 5a2 2 0 0 1 2-2Z',
  accuracy: 'M3 3v14h14M5 14c4 0 4-8 7-8 2 0 2 3 5 3',
  applications: 'M3 3h6v6H3zM11 3h6v6h-6zM3 11h6v6H3zM14 11v6M11 14h6',
  engagement: 'M3 5h14v8H9l-4 3.5V13H3zM7 9h.01M10 9h.01M13 9h.01',
  webhooks: 'M3 10h9M9 6.5 12.5 10 9 13.5M13 4h4v12h-4',
  batches: 'M4 3h9v4H4zM4 8.5h12v4H4zM4 14h9v3H4z',
  profile: 'M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM4 17c0-3.2 2.6-5 6-5s6 1.8 6 5',
  users: 'M10 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4.5 16c0-2.8 2.4-4.4 5.5-4.4 1 0 1.9.2 2.7.5M15 12v6M12 15h6',
  system: 'M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.01M6 13.5h.01',
  docs: 'M5 2.5h7l3.5 3.5v11.5H5zM12 2.5V6h3.5M8 10h5M8 13h5',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  close: 'M5 5l10 10M15 5 5 15',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4',
  moon: 'M16.5 12A7 7 0 0 1 8 3.5 7 7 0 1 0 16.5 12Z',
  out: 'M8 3H4v14h4M12 6.5l3.5 3.5-3.5 3.5M15 10H8',
  plus: 'M10 4v12M4 10h12',
  key: 'M13 3a4 4 0 1 0-3.6 5.7L3 15v2h2.5v-2H8v-2h1.7l1.6-2.4A4 4 0 0 0 13 3Z',
  lock: 'M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 6v4l2.5 2',
  download: 'M10 3v9M6.5 9 10 12.5 13.5 9M4 16h12',
  trash: 'M4 6h12M8 6V4h4v2M6 6l.7 11h6.6L14 6',
  warning: 'M10 3 18 17H2zM10 8v4M10 14.5h.01',
  mic: 'M10 12a2.5 2.5 0 0 0 2.5-2.5v-4a2.5 2.5 0 0 0-5 0v4A2.5 2.5 0 0 0 10 12ZM5 9.5a5 5 0 0 0 10 0M10 14.5V17',
  play: 'M6 4l10 6-10 6z',
  stop: 'M5.5 5.5h9v9h-9z',
  search: 'M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM13.3 13.3 17.5 17.5',
} as const;

export type IconName = keyof typeof paths;

/** Decorative: the text beside it carries the meaning. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}

export function Mark({ size = 28 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#12544a" />
      <path d="M7 13v6M12 9v14M20 9v14M25 13v6" stroke="#f4efe3" strokeWidth="2.6" strokeLinecap="round" />
      <path d="M16 6v20" stroke="#f0a35c" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  );
}

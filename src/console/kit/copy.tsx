// Text to copy: one line or a block with a copy button, and files made in the browser.
import { useState, type ReactNode } from 'react';
import { t } from '../text/shell.js';

export function Copy({
  text,
  label,
  block = false,
  wrap = false,
}: {
  text: string;
  /** What is copied, for screen readers. */ label: string;
  block?: boolean;
  wrap?: boolean;
}): ReactNode {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await writeClipboard(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div className="copy" data-wrap={wrap || undefined}>
      {block ? (
        <pre tabIndex={0} aria-label={label}>
          {text}
        </pre>
      ) : (
        <code tabIndex={wrap ? undefined : 0}>{text}</code>
      )}
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={copied ? t.copiedWhat(label) : t.copyWhat(label)}
      >
        {copied ? t.copied : t.copy}
      </button>
    </div>
  );
}

/** The clipboard interface is missing on plain http; selecting and copying still works there. */
async function writeClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

/**
 * Begins with the byte order mark by which spreadsheets recognize UTF-8: without it names lose their accents.
 */
export const downloadCsv = (name: string, csv: string): void =>
  downloadFile(name, `\u{FEFF}${csv}`, 'text/csv;charset=utf-8');

export function downloadFile(name: string, content: BlobPart, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

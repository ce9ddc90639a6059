// One line that opens to more. What is inside is made, and asks the server, only when it is opened.
import { useState, type ReactNode } from 'react';

export function Disclosure({
  label,
  summary,
  children,
}: {
  label: string;
  /** The line; the label if absent. */
  summary?: ReactNode;
  children: () => ReactNode;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="disclosure"
      aria-label={label}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{summary ?? label}</summary>
      {isOpen ? <div className="disclosure-body stack">{children()}</div> : null}
    </details>
  );
}

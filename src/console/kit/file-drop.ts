// A drop zone for files: marked (`data-over`) while files are held over it; receives the dropped ones.
import { useState, type DragEvent } from 'react';

interface FileDrop {
  'data-over': true | undefined;
  onDragOver: (event: DragEvent) => void;
  onDragLeave: () => void;
  onDrop: (event: DragEvent) => void;
}

/** Props for the drop zone's element. */
export function useFileDrop(take: (files: File[]) => void): FileDrop {
  const [over, setOver] = useState(false);
  return {
    'data-over': over || undefined,
    onDragOver: (event) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event) => {
      event.preventDefault();
      setOver(false);
      take([...event.dataTransfer.files]);
    },
  };
}

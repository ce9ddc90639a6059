// A place on which files can be dropped: marked (`data-over`) while somebody holds some over it, told of what was dropped.
import { useState, type DragEvent } from 'react';

interface FileDrop {
  'data-over': true | undefined;
  onDragOver: (event: DragEvent) => void;
  onDragLeave: () => void;
  onDrop: (event: DragEvent) => void;
}

/** For the element that is the place. */
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

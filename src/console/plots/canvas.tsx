// A canvas that fills its width, sharp on every screen, redrawn when size, theme or picture change.
import { useEffect, useRef, type ReactNode } from 'react';
import { useTheme } from '../kit/theme.js';

export type Draw = (context: CanvasRenderingContext2D, width: number, height: number) => void;

export function Canvas({
  height,
  label,
  draw,
}: {
  height: number;
  /** Says in words what is drawn. */ label: string;
  draw: Draw;
}): ReactNode {
  const element = useRef<HTMLCanvasElement>(null);
  const { theme } = useTheme();
  useEffect(() => {
    const canvas = element.current;
    const place = canvas?.parentElement;
    if (!canvas || !place) return undefined;
    const paint = (): void => {
      const width = place.clientWidth;
      const scale = devicePixelRatio || 1;
      canvas.width = Math.max(1, Math.round(width * scale));
      canvas.height = Math.round(height * scale);
      const context = canvas.getContext('2d');
      if (!context || width === 0) return;
      context.scale(scale, scale);
      context.clearRect(0, 0, width, height);
      draw(context, width, height);
    };
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(place);
    return () => observer.disconnect();
  }, [draw, height, theme]);
  return (
    <div className="plot-place">
      <canvas ref={element} className="plot-canvas" style={{ height }} role="img" aria-label={label} />
    </div>
  );
}

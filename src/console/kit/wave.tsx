// A decorative drawing of a voice: bars with an envelope, not a measurement.
import type { ReactNode } from 'react';

export function Wave(): ReactNode {
  const bars = Array.from({ length: 61 }, (_unused, index) => {
    const at = index / 60;
    const shape = Math.sin(Math.PI * at) * (0.35 + 0.65 * Math.abs(Math.sin(at * 21) * Math.cos(at * 8.3)));
    return { x: 6 + index * 10, half: 4 + shape * 92, bright: index % 9 === 4 };
  });
  return (
    <svg className="wave" viewBox="0 0 612 210" aria-hidden="true">
      {bars.map(({ x, half, bright }) => (
        <line
          key={x}
          x1={x}
          x2={x}
          y1={105 - half}
          y2={105 + half}
          stroke={bright ? '#f0a35c' : '#4f8a7c'}
          strokeWidth="4"
          strokeLinecap="round"
        />
      ))}
    </svg>
  );
}

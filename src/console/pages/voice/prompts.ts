// Something to say when nothing comes to mind: plain sentences with many different sounds.

export const enrollPrompts = [
  'On quiet mornings the ferry leaves at seven, and the gulls follow it far beyond the last buoy.',
  'My neighbour grows yellow beans and keeps three bees for company, so the garden hums all summer.',
  'Please weigh the box twice, write the number on the lid, and carry it up to the third floor.',
] as const;

export const VERIFY_PROMPT =
  'It is me again, I only wanted to ask whether the parcel from the harbour has arrived.';

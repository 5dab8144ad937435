import DataLoader from "dataloader";

/** Batches under way at once: one at the server, the next one on its way. */
const maxRunning = 2;
const maxKeys = 500;

/**
 * Batches look-ups by key: keys that are requested in one turn of the event loop share a statement. While two statements
 * are under way, further keys wait and share the next one, so batches grow with the load. Resolves to undefined for a
 * key that `load` leaves out.
 */
export function batched<Key, Value>(
  load: (keys: readonly Key[]) => Promise<Map<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const loader = new DataLoader<Key, Value | undefined>(
    async (keys) => {
      running++;
      try {
        const found = await load(keys);
        return keys.map((key) => found.get(key));
      } finally {
        running--;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: maxKeys,
      batchScheduleFn: (start) => {
        if (running < maxRunning) setImmediate(start);
        else waiting.push(start);
      },
    },
  );
  return (key) => loader.load(key);
}

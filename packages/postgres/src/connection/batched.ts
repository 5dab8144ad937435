import DataLoader from "dataloader";

/** Concurrent batches: the server runs one while the next is sent. */
const maxRunning = 2;
const usualMaxKeys = 500;

/**
 * Batches look-ups by key. Keys that are requested in one turn of the event loop share a statement. While two
 * statements are running, further keys wait and share the next statement, so that batches grow with the load, up to
 * `maxKeys`. Resolves to undefined for a key that is missing in the result of `load`.
 */
export function batched<Key, Value>(
  load: (keys: readonly Key[]) => Promise<Map<Key, Value>>,
  maxKeys = usualMaxKeys,
): (key: Key) => Promise<Value | undefined> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const startOrWait = (start: () => void): void => {
    if (running < maxRunning) start();
    else waiting.push(start);
  };
  const loader = new DataLoader<Key, Value | undefined>(
    async (keys) => {
      running++;
      try {
        const values = await load(keys);
        return keys.map((key) => values.get(key));
      } finally {
        running--;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: maxKeys,
      batchScheduleFn: (start) => void setImmediate(startOrWait, start),
    },
  );
  return (key) => loader.load(key);
}

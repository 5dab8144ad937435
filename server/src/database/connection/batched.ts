import DataLoader from "dataloader";

/** Batches under way at once. One is being answered while the next one is on its way. */
const maxRunning = 2;
const maxKeys = 500;

/**
 * Looks things up by key, all that are asked for at about the same time in one statement. While two statements are
 * under way, further keys wait and share the next one, so the batches grow with the load. A key that `load` left out
 * is undefined.
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

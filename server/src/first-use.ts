/**
 * What `load` makes, made when it is first asked for. Who asks meanwhile waits for the same; after a failure, the next
 * one to ask tries again.
 */
export function onFirstUse<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

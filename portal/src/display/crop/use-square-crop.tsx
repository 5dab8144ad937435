import { lazy, type ReactNode, Suspense, useState } from "react";
import { loadChunk } from "../../api/load-chunk.ts";
import { needsCrop } from "./square.ts";

/** Loaded when the user chooses a picture that is not square. */
const CropDialog = lazy(() =>
  loadChunk(() => import("./crop-dialog.tsx")).then((module) => ({ default: module.CropDialog })),
);

/**
 * Calls `onSquare` with the chosen picture. If the picture is not square, the user first crops it in `dialog`, which
 * the caller renders.
 */
export function useSquareCrop(
  title: string,
  onSquare: (file: File) => void,
): { choose: (file: File) => Promise<void>; dialog: ReactNode } {
  const [file, setFile] = useState<File | null>(null);
  const finish = (square: File) => {
    setFile(null);
    onSquare(square);
  };
  return {
    choose: async (picture) => {
      if (await needsCrop(picture)) setFile(picture);
      else onSquare(picture);
    },
    dialog: file !== null && (
      <Suspense>
        <CropDialog file={file} title={title} onCropped={finish} onCancel={() => setFile(null)} />
      </Suspense>
    ),
  };
}

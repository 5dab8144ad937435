import { lazy, type ReactNode, Suspense, useState } from "react";
import { loadChunk } from "../../api/load-chunk.ts";
import { needsCrop } from "./square.ts";

/** Loaded when a picture is chosen that is not square. */
const CropDialog = lazy(() =>
  loadChunk(() => import("./crop-dialog.tsx")).then((module) => ({ default: module.CropDialog })),
);

/** Passes on a picture once it is square: at once, or cut out in the dialog, which its user shows. */
export function useSquareCrop(
  title: string,
  onSquare: (file: File) => void,
): { choose: (file: File) => Promise<void>; dialog: ReactNode } {
  const [file, setFile] = useState<File | null>(null);
  const done = (square: File) => {
    setFile(null);
    onSquare(square);
  };
  return {
    choose: async (chosen) => {
      if (await needsCrop(chosen)) setFile(chosen);
      else onSquare(chosen);
    },
    dialog: file !== null && (
      <Suspense>
        <CropDialog file={file} title={title} onCropped={done} onCancel={() => setFile(null)} />
      </Suspense>
    ),
  };
}

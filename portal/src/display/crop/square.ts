/** A part of a picture, in pixels of the picture. */
export interface PictureArea {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A picture whose sides differ by at most this share of the longer side looks square, so it is not cropped. */
const tolerance = 0.01;

/** The server scales covers down to this side, so a larger picture would only take longer to upload. */
const maxSide = 1500;
const jpegQuality = 0.92;

/**
 * Whether a picture must be cropped to a square. False for a file that the browser cannot read: the server reports the
 * error.
 */
export async function needsCrop(file: File): Promise<boolean> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return false;
  const { width, height } = picture;
  picture.close();
  return Math.abs(width - height) > tolerance * Math.max(width, height);
}

/**
 * Returns a picture's square `area` as a JPEG file, scaled down to `maxSide`, with the picture's name and `.jpg`.
 * Transparent parts become white, as on the server.
 */
export async function cropFile(file: File, area: PictureArea): Promise<File> {
  const picture = await createImageBitmap(file);
  const side = Math.min(maxSide, Math.round(Math.min(area.width, area.height)));
  const canvas = document.createElement("canvas");
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("The browser has no canvas.");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, side, side);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, area.x, area.y, area.width, area.height, 0, 0, side, side);
  picture.close();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", jpegQuality));
  if (blob === null) throw new Error("The browser could not write the picture.");
  return new File([blob], `${file.name.replace(/\.\w+$/, "")}.jpg`, {
    type: "image/jpeg",
    lastModified: file.lastModified,
  });
}

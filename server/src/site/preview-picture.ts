/** The absolute address of a picture of a beat in a form that other sites show: its cover, or a drawing where it is an SVG or missing. */
export function pictureOf({ id, cover_image }: { id: number; cover_image: string }, publicUrl: string): string {
  const address = URL.parse(cover_image, publicUrl);
  const isShown = address !== null && /\.(jpe?g|png|webp)$/i.test(address.pathname);
  return isShown ? address.href : `${publicUrl}/media/beats/${id}.png`;
}

interface PreviewProps {
  /** The beat's. */
  title: string;
  src: string;
}

/** The player of a beat's preview. One plays at a time; audio loads when played. */
export const Preview = ({ title, src }: PreviewProps) => (
  // biome-ignore lint/a11y/useMediaCaption: instrumental music
  <audio
    controls
    preload="none"
    src={src}
    aria-label={`Preview of ${title}`}
    style={{ width: "100%", height: 36 }}
    onPlay={({ currentTarget }) => {
      for (const audio of document.querySelectorAll("audio")) if (audio !== currentTarget) audio.pause();
    }}
  />
);

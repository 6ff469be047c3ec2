import { ImageIcon, VideoIcon } from 'lucide-react';
import { useState } from 'react';
import { Button } from 'react-aria-components';

import type { PictureView, StepView } from '#desktop/engine/api/records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { PictureZoom } from '#desktop/renderer/ui/picture-zoom.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';
import { Thumbnails } from '#desktop/renderer/ui/thumbnails.tsx';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { usePlayerKeys } from './player-keys.tsx';
import styles from './step-media.module.css';

/** The media of a step, as large as the window allows: pictures, video or embedded page. */
export function StepMedia({ step, title }: { step: StepView; title: string }) {
  if (step.video) return <StepVideo video={step.video} />;
  if (step.embedHtml !== null) {
    return (
      <div className={classNames(styles, 'media')}>
        <div className={classNames(styles, 'embed')}>
          <RichHtml html={step.embedHtml} />
        </div>
      </div>
    );
  }
  return step.pictures.length === 0 ? <NoPicture /> : <Pictures pictures={step.pictures} title={title} />;
}

/**
 * A video, from this device's copy if there is one. The server refuses non-public videos without a token, which the
 * browser's player cannot send.
 */
function StepVideo({ video: { file, url, poster, mime } }: { video: NonNullable<StepView['video']> }) {
  const localUrl = useLiveSoon('video', file) ?? null;
  const [isRefused, setIsRefused] = useState(false);
  /** A playing video keeps its source. */
  const [playing, setPlaying] = useState<string | null>(null);
  const source = playing ?? localUrl ?? url;
  return (
    <div className={classNames(styles, 'media')}>
      {localUrl === null && isRefused ? (
        <div className={classNames(styles, 'media', 'none')} role="status">
          <VideoIcon aria-hidden="true" />
          <p>{text.player.videoMissing}</p>
        </div>
      ) : (
        <video
          // A player that failed on one source does not load another, so it is created anew.
          key={source}
          className={classNames(styles, 'video')}
          controls
          preload="metadata"
          aria-label={text.player.video}
          onPlay={() => setPlaying(source)}
          {...(poster !== null && { poster })}
        >
          <source
            src={source}
            type={mime}
            onError={() => {
              setPlaying(null);
              setIsRefused(true);
            }}
          />
        </video>
      )}
    </div>
  );
}

function NoPicture() {
  return (
    <div className={classNames(styles, 'media', 'none')}>
      <ImageIcon aria-hidden="true" />
      <p>{text.player.noPicture}</p>
    </div>
  );
}

function Pictures({ pictures, title }: { pictures: readonly PictureView[]; title: string }) {
  const [chosen, setChosen] = useState(0);
  const [isZoomed, setIsZoomed] = useState(false);
  usePlayerKeys({ z: () => setIsZoomed(true) });
  const picture = pictures[chosen] ?? pictures[0];
  if (!picture) return <NoPicture />;
  const alt = text.player.pictureOf(title, pictures.indexOf(picture) + 1, pictures.length);
  return (
    <div className={classNames(styles, 'media')}>
      <div className={classNames(styles, 'stage', pictures.length > 1 && 'several')}>
        <Button
          className={classNames(styles, 'enlarge')}
          aria-label={`${text.player.enlarge}: ${alt}`}
          onPress={() => setIsZoomed(true)}
        >
          <Picture
            guid={picture.guid}
            size="large"
            alt={alt}
            fit="contain"
            dimensions={picture}
            markers={picture.markers}
          />
        </Button>
        {pictures.length > 1 && (
          <div className={classNames(styles, 'below')}>
            <Thumbnails
              guids={pictures.map(({ guid }) => guid)}
              chosen={pictures.indexOf(picture)}
              label={(index) => text.player.picture(index + 1, pictures.length)}
              onChoose={setChosen}
            />
          </div>
        )}
      </div>
      <PictureZoom title={alt} isOpen={isZoomed} onClose={() => setIsZoomed(false)}>
        <Picture
          guid={picture.guid}
          size="huge"
          alt={alt}
          fit="contain"
          dimensions={picture}
          markers={picture.markers}
        />
      </PictureZoom>
    </div>
  );
}

<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * An upload that is ready: beats can be made of it.
 *
 * @property-read string  $sha256    Of the file as it was sent.
 * @property-read 'ready' $status
 * @property-read null    $rejection
 */
final class ReadyUpload extends Upload
{
}

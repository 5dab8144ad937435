<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Model;

/**
 * An upload that is ready: beats can be created from it.
 *
 * @property-read string  $sha256    The SHA-256 of the file that you uploaded, in hex.
 * @property-read 'ready' $status
 * @property-read null    $rejection
 */
final class ReadyUpload extends Upload
{
}

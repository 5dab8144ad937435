<?php

// Generated from contract/openapi.json by npm run contract; do not edit.

declare(strict_types=1);

namespace BeatMarket\Exception;

/**
 * 410: what follows this position is no longer kept: take an export, and continue from its position. Of an upload:
 * bytes that had arrived are lost, so upload the file again. Of a link to a file of an order: it expired, or was
 * revoked by a refund.
 */
final class GoneException extends APIStatusException
{
}

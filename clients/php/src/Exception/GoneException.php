<?php

declare(strict_types=1);

namespace BeatMarket\Exception;

/** 410: what follows this position is no longer kept. Take an export, and go on from its position. */
final class GoneException extends APIStatusException
{
}

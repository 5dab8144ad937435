package main

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"filippo.io/torchwood"
	formats "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// publicKey is a key that cannot sign. torchwood creates a verifier from it.
type publicKey struct{ ed25519.PublicKey }

func (key publicKey) Public() crypto.PublicKey { return key.PublicKey }
func (publicKey) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) {
	return nil, errors.New("no private key")
}

func torchwoodVerifier(key string) note.Verifier {
	name, rest, _ := strings.Cut(key, "+")
	_, encoded, _ := strings.Cut(rest, "+")
	bytes, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(bytes) != 1+ed25519.PublicKeySize {
		fail("witness key: %v", err)
	}
	signer, err := torchwood.NewCosignatureSigner(name, publicKey{bytes[1:]})
	if err != nil {
		fail("witness key: %v", err)
	}
	if signer.Verifier().String() != key {
		fail("witness key: torchwood writes it as %s", signer.Verifier().String())
	}
	return signer.Verifier()
}

// cosigned checks with both libraries that a witness has cosigned the checkpoint within the last hour.
func cosigned(checkpoint []byte, key string) {
	formatsVerifier, err := formats.NewVerifierForCosignatureV1(key)
	if err != nil {
		fail("witness key: %v", err)
	}
	for _, verifier := range []note.Verifier{torchwoodVerifier(key), formatsVerifier} {
		opened, err := note.Open(checkpoint, note.VerifierList(verifier))
		if err != nil {
			fail("cosignature: %v", err)
		}
		seconds, err := torchwood.CosignatureTimestamp(opened.Sigs[0])
		if err != nil {
			fail("cosignature: %v", err)
		}
		if at, err := formats.CoSigV1Timestamp(opened.Sigs[0]); err != nil || at.Unix() != seconds {
			fail("cosignature: the time is %d or %d", seconds, at.Unix())
		}
		if age := time.Since(time.Unix(seconds, 0)); age < -time.Minute || age > time.Hour {
			fail("cosignature: %s old", age)
		}
	}
}

// cosignatures sends the checkpoint to a witness (C2SP tlog-witness) as the continuation of `old` leaves. It returns
// the lines of the response.
func cosignatures(address string, old int64, checkpoint []byte, tree tlog.Tree, reader tlog.HashReader) []byte {
	var body bytes.Buffer
	fmt.Fprintf(&body, "old %d\n", old)
	if old > 0 {
		steps, err := tlog.ProveTree(tree.N, old, reader)
		if err != nil {
			fail("proof: %v", err)
		}
		for _, step := range steps {
			fmt.Fprintln(&body, step.String())
		}
	}
	fmt.Fprintf(&body, "\n%s", checkpoint)
	response, err := http.Post(address+"/add-checkpoint", "text/plain", &body)
	if err != nil {
		fail("witness: %v", err)
	}
	defer response.Body.Close()
	lines, err := io.ReadAll(response.Body)
	if err != nil {
		fail("witness: %v", err)
	}
	if response.StatusCode != http.StatusOK {
		fail("refused: %d %s", response.StatusCode, bytes.TrimSpace(lines))
	}
	return lines
}

// Judges the license log in a folder by its public files alone:
// license_log_judge [-kept CHECKPOINT] [-proofs FILE] [-checkpoints FOLDER] [-sold FILE] [-witness KEY [-ask ADDRESS
// [-old LEAVES]]] FOLDER.
// Signature and leaves by golang.org/x/mod/sumdb, root and consistency by both that and transparency-dev/merkle,
// cosignatures by filippo.io/torchwood and transparency-dev/formats.
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type leaf struct {
	Kind       string `json:"kind"`
	Time       string `json:"time"`
	Beat       int64  `json:"beat"`
	Exclusive  bool   `json:"exclusive"`
	Placed     string `json:"placed"`
	Commitment string `json:"commitment"`
	From       int64  `json:"from"`
	To         int64  `json:"to"`
}

func fail(format string, values ...any) {
	fmt.Printf(format+"\n", values...)
	os.Exit(1)
}

func read(path ...string) []byte {
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		fail("missing: %v", err)
	}
	return data
}

func open(checkpoint []byte, verifiers note.Verifiers) tlog.Tree {
	signed, err := note.Open(checkpoint, verifiers)
	if err != nil {
		fail("signature: %v", err)
	}
	var origin, root string
	var size int64
	if _, err := fmt.Sscanf(signed.Text, "%s\n%d\n%s\n", &origin, &size, &root); err != nil {
		fail("checkpoint: %v", err)
	}
	hash, err := tlog.ParseHash(root)
	if err != nil {
		fail("checkpoint: %v", err)
	}
	return tlog.Tree{N: size, Hash: hash}
}

func entries(folder string, size int64) [][]byte {
	var all [][]byte
	for n := int64(0); n*256 < size; n++ {
		tile := tlog.Tile{H: 8, L: -1, N: n, W: int(min(256, size-n*256))}
		path := tile.Path()[len("tile/8/data/"):]
		bundle := read(folder, "tile", "entries", path)
		for len(bundle) >= 2 {
			length := int(bundle[0])<<8 | int(bundle[1])
			if len(bundle) < 2+length {
				fail("entries: tile %d is cut off", n)
			}
			all = append(all, bundle[2:2+length])
			bundle = bundle[2+length:]
		}
	}
	if int64(len(all)) != size {
		fail("entries: %d leaves of %d", len(all), size)
	}
	return all
}

func rules(all [][]byte) {
	held := map[int64]string{}
	lost := make([]bool, len(all))
	leaves := make([]leaf, len(all))
	last := ""
	for index, entry := range all {
		if err := json.Unmarshal(entry, &leaves[index]); err != nil {
			fail("entries: leaf %d: %v", index, err)
		}
		if leaves[index].Time < last {
			fail("backdated: leaf %d", index)
		}
		last = leaves[index].Time
		if leaves[index].Kind != "lost" {
			continue
		}
		if leaves[index].To != int64(index) || leaves[index].From >= leaves[index].To {
			fail("lost: leaf %d", index)
		}
		for at := leaves[index].From; at < leaves[index].To; at++ {
			lost[at] = true
		}
	}
	for index, it := range leaves {
		if lost[index] {
			continue
		}
		since, isHeld := held[it.Beat]
		switch it.Kind {
		case "sold":
			if isHeld && (it.Exclusive || it.Placed > since) {
				fail("sold twice: leaf %d", index)
			}
			if it.Exclusive {
				held[it.Beat] = it.Time
			}
		case "reinstated":
			if it.Exclusive {
				held[it.Beat] = it.Time
			}
		case "returned":
			delete(held, it.Beat)
		}
	}
}

func main() {
	keptPath := flag.String("kept", "", "a checkpoint that was kept")
	proofs := flag.String("proofs", "", "proofs that pages of licenses show")
	checkpoints := flag.String("checkpoints", "", "a folder of checkpoints, each pair of which is checked")
	sold := flag.String("sold", "", "sales with the openings of their leaves")
	witness := flag.String("witness", "", "the verifier key of a witness that must have cosigned the checkpoint")
	address := flag.String("ask", "", "the address of the witness, which is first asked to cosign; FOLDER/cosigned is the result")
	old := flag.Int64("old", 0, "the leaves of the checkpoint that the witness is told to have cosigned before")
	flag.Parse()
	folder := flag.Arg(0)
	verifier, err := note.NewVerifier(string(bytes.TrimSpace(read(folder, "key"))))
	if err != nil {
		fail("key: %v", err)
	}
	verifiers := note.VerifierList(verifier)
	checkpoint := read(folder, "checkpoint")
	tree := open(checkpoint, verifiers)
	all := entries(folder, tree.N)
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		found := make([]tlog.Hash, len(indexes))
		for at, index := range indexes {
			found[at] = stored[index]
		}
		return found, nil
	})
	for index, entry := range all {
		hashes, err := tlog.StoredHashes(int64(index), entry, reader)
		if err != nil {
			fail("tree: %v", err)
		}
		stored = append(stored, hashes...)
	}
	root, err := tlog.TreeHash(tree.N, reader)
	if err != nil || root != tree.Hash {
		fail("root: the leaves do not lead to it")
	}
	if *keptPath != "" {
		consistent(open(read(*keptPath), verifiers), tree, reader)
	}
	rules(all)
	if *address != "" {
		checkpoint = append(checkpoint, cosignatures(*address, *old, checkpoint, tree, reader)...)
		if err := os.WriteFile(filepath.Join(folder, "cosigned"), checkpoint, 0o600); err != nil {
			fail("cosigned: %v", err)
		}
	}
	if *witness != "" {
		cosigned(checkpoint, *witness)
	}
	proved, opened, pairs := 0, 0, 0
	if *proofs != "" {
		proved = inclusions(*proofs, tree)
	}
	if *checkpoints != "" {
		pairs = allPairs(*checkpoints, verifiers, reader)
	}
	if *sold != "" {
		opened = soldLeaves(*sold, all, tree, reader)
		proved += opened
	}
	fmt.Printf("%d leaves are right, %d inclusion proofs lead to the root, %d openings lead to their leaves, %d pairs of checkpoints agree\n", tree.N, proved, opened, pairs)
}

// consistent checks that a tree continues an earlier one. Each library verifies the proof that sumdb creates.
func consistent(earlier, later tlog.Tree, reader tlog.HashReader) {
	if earlier.N > later.N {
		fail("inconsistent: %d leaves, and %d were known", later.N, earlier.N)
	}
	steps, err := tlog.ProveTree(later.N, earlier.N, reader)
	if err != nil {
		fail("inconsistent: %v", err)
	}
	if err := tlog.CheckTree(steps, later.N, later.Hash, earlier.N, earlier.Hash); err != nil {
		fail("inconsistent: %v", err)
	}
	hashes := make([][]byte, len(steps))
	for at := range steps {
		hashes[at] = steps[at][:]
	}
	if err := proof.VerifyConsistency(rfc6962.DefaultHasher, uint64(earlier.N), uint64(later.N), hashes, earlier.Hash[:], later.Hash[:]); err != nil {
		fail("inconsistent: %v", err)
	}
}

// allPairs checks each pair of the checkpoints in a folder. It returns the number of pairs.
func allPairs(folder string, verifiers note.Verifiers, reader tlog.HashReader) int {
	files, err := os.ReadDir(folder)
	if err != nil {
		fail("missing: %v", err)
	}
	trees := make([]tlog.Tree, len(files))
	for at, file := range files {
		trees[at] = open(read(folder, file.Name()), verifiers)
	}
	slices.SortFunc(trees, func(a, b tlog.Tree) int { return cmp.Compare(a.N, b.N) })
	pairs := 0
	for at, later := range trees {
		for _, earlier := range trees[:at] {
			consistent(earlier, later, reader)
			pairs++
		}
	}
	return pairs
}

// sale has the data of a license, and the data with which its holder opens the leaf.
type sale struct {
	Index       int64  `json:"index"`
	Beat        int64  `json:"beat"`
	Type        string `json:"type"`
	PurchasedAt string `json:"purchased_at"`
	// The name of the license's terms.
	Terms   string `json:"terms"`
	Salt    []byte `json:"salt"`
	Opening string `json:"opening"`
}

// soldLeaves reads a JSON object that has the `texts` of terms by their names, and the `sales`. It checks that each
// sale is a leaf that leads to the root, and that the sale's opening opens the leaf. It returns the number of sales.
func soldLeaves(path string, all [][]byte, tree tlog.Tree, reader tlog.HashReader) int {
	var sold struct {
		Texts map[string]string `json:"texts"`
		Sales []sale            `json:"sales"`
	}
	if err := json.Unmarshal(read(path), &sold); err != nil {
		fail("sold: %v", err)
	}
	for _, sale := range sold.Sales {
		if sale.Index >= tree.N {
			fail("sold: leaf %d is not published", sale.Index)
		}
		opens(sale, all[sale.Index], sold.Texts[sale.Terms])
		record, err := tlog.ProveRecord(tree.N, sale.Index, reader)
		if err != nil {
			fail("sold: leaf %d: %v", sale.Index, err)
		}
		if err := tlog.CheckRecord(record, tree.N, tree.Hash, sale.Index, tlog.RecordHash(all[sale.Index])); err != nil {
			fail("sold: leaf %d: %v", sale.Index, err)
		}
		hashes := make([][]byte, len(record))
		for at := range record {
			hashes[at] = record[at][:]
		}
		hash := rfc6962.DefaultHasher.HashLeaf(all[sale.Index])
		if err := proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(sale.Index), uint64(tree.N), hash, hashes, tree.Hash[:]); err != nil {
			fail("sold: leaf %d: %v", sale.Index, err)
		}
	}
	return len(sold.Sales)
}

// opens checks that a leaf belongs to the sale, by its visible fields and by the commitment to salt and opening.
func opens(sale sale, entry []byte, terms string) {
	var it leaf
	if err := json.Unmarshal(entry, &it); err != nil || it.Kind != "sold" || it.Beat != sale.Beat || it.Exclusive != (sale.Type == "exclusive") {
		fail("opening: leaf %d is no sale of the %s license of beat %d", sale.Index, sale.Type, sale.Beat)
	}
	commitment := sha256.Sum256(append(bytes.Clone(sale.Salt), sale.Opening...))
	if hex.EncodeToString(commitment[:]) != it.Commitment {
		fail("opening: salt and opening do not lead to the commitment of leaf %d", sale.Index)
	}
	var opened struct {
		Beat        int64  `json:"beat"`
		Type        string `json:"type"`
		TermsSHA256 string `json:"terms_sha256"`
		PurchasedAt string `json:"purchased_at"`
	}
	if err := json.Unmarshal([]byte(sale.Opening), &opened); err != nil {
		fail("opening: leaf %d: %v", sale.Index, err)
	}
	hash := sha256.Sum256([]byte(terms))
	if opened.Beat != sale.Beat || opened.Type != sale.Type || opened.PurchasedAt != sale.PurchasedAt || opened.TermsSHA256 != hex.EncodeToString(hash[:]) {
		fail("opening: leaf %d was sold as %s", sale.Index, sale.Opening)
	}
}

// inclusions reads a JSON list of the `log` objects of licenses' pages, and verifies each proof. It returns their
// number.
func inclusions(path string, tree tlog.Tree) int {
	var shown []struct {
		Index int64    `json:"index"`
		Size  int64    `json:"size"`
		Leaf  []byte   `json:"leaf"`
		Proof [][]byte `json:"proof"`
	}
	if err := json.Unmarshal(read(path), &shown); err != nil {
		fail("inclusion: %v", err)
	}
	for _, it := range shown {
		if it.Size != tree.N {
			fail("inclusion: leaf %d leads to another checkpoint", it.Index)
		}
		hash := rfc6962.DefaultHasher.HashLeaf(it.Leaf)
		if err := proof.VerifyInclusion(rfc6962.DefaultHasher, uint64(it.Index), uint64(it.Size), hash, it.Proof, tree.Hash[:]); err != nil {
			fail("inclusion: leaf %d: %v", it.Index, err)
		}
		record := make(tlog.RecordProof, len(it.Proof))
		for at := range it.Proof {
			copy(record[at][:], it.Proof[at])
		}
		if err := tlog.CheckRecord(record, it.Size, tree.Hash, it.Index, tlog.RecordHash(it.Leaf)); err != nil {
			fail("inclusion: leaf %d: %v", it.Index, err)
		}
	}
	return len(shown)
}

//! Development tasks, one file each: `cargo xtask TASK …`.

mod bench;
mod charts;
mod delays;
mod go_module;
mod kustomizations;
mod kustomize_tables;
mod packages;
mod picture;
mod promises;
mod schema;
mod test_cluster;
mod witness;

use std::io::Write as _;
use std::process::ExitCode;

/// The allocator of the program, so that what is measured here is what the program does.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str = "\
usage: cargo xtask TASK
  bench check [--by-rule] [--objects N | --write]
                               how long a check takes, kubeconform beside it (which needs Go and its module proxy);
                               --write keeps the numbers in docs/benchmarks/check.md; --by-rule says what each rule
                               alone takes
  bench growth [--write]       how the work of a check grows with its input, in instructions (needs valgrind); --write
                               keeps the numbers in docs/benchmarks/growth.md
  bench render [--write] [DIR…]
                               how long charts and kustomizations take, made-up ones and those in folders, with helm and
                               kubectl beside it; --write keeps the numbers in docs/benchmarks/render.md
  charts compare [--values] [--show] [--only TEXT] DIR…
                               every chart below folders, rendered here, by helm 3 and by helm 4: how many agree;
                               --values takes the values of their ci folders too, --show says what differs
  charts outline --repository WORDS --source TEXT DIR…
                               writes down what is known of the chart whose versions lie below each folder, found by
                               turning every switch; WORDS tell its repository, TEXT says where it was read
  charts shelf [--show] [--random N] DIR…
                               what is known of charts beside the charts themselves, in every version below folders that
                               was read, with every switch turned and every name overridden; --show says what differs
  charts templates [--rounds N | --write]
                               made-up templates, answered here and by Go's text/template; --write keeps some answers
  charts wrap FOLDER/NAME.yaml VERSION MANIFEST…
                               makes a chart of manifests that people fetch from the network, for `charts outline`
  delays [--write]             how long things take on a real cluster with real operators, some ten minutes; --write
                               keeps the figures in crates/plimsoll-knowledge/data and docs/benchmarks/delays.md
  generate kustomizations [--check]
                               the order of small kustomizations, from the real kubectl
  bench test-cluster [--write]
                               how soon a real cluster is ready, how many pods a second its kubelet starts and how many
                               requests a second it takes; --write keeps the numbers in
                               docs/benchmarks/test-cluster.md
  generate kustomize [--check] the tables of fields and lists that kustomize carries inside (needs Go and its module
                               proxy)
  generate schema [--check]    kinds and removed versions of Kubernetes (needs Go and its module proxy)
  packages WORD@COMMIT=DIR…    what packages of the Operator Lifecycle Manager define, from the folders of their catalogues
                               (operatorhub, openshift), into crates/plimsoll-knowledge/data/packages.tsv
  promises [--cases N] [--seed N] [--write]
                               what the real kubectl sends, against what is promised of it; --write keeps the counts in
                               docs/promises.md
  promises --helm [--check]    what the real helm 3 and helm 4 send, into crates/plimsoll-testbed/observed/helm.tsv;
                               --check only compares
  picture [--check]            docs/finding.svg, the first finding of the example as a terminal shows it
  test-cluster up|down|status|kubeconfig|logs …
                               a real cluster on this machine; `test-cluster` alone says more
  witness [--check | --page] [--kubeconfig FILE]… [--images FILE] [--plimsoll FILE]
          [--share NUMBER/OF] [RULE | ROW]…
                               plays the examples of rules and rows on real clusters and writes docs/witness.md;
                               --check only compares, --page writes the page from the tables,
                               --kubeconfig uses clusters that run already, whose image table is then
                               written to the file of --images; --plimsoll is the program to ask";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["bench", "check", rest @ ..] => bench::check(rest),
        ["bench", "growth", rest @ ..] => bench::growth(rest),
        ["bench", "render", rest @ ..] => bench::render(rest),
        ["bench", "test-cluster", rest @ ..] => bench::test_cluster(rest),
        ["charts", "compare", rest @ ..] => charts::compare(rest),
        ["charts", "outline", rest @ ..] => charts::outline(rest),
        ["charts", "shelf", rest @ ..] => charts::shelf(rest),
        ["charts", "templates", rest @ ..] => charts::templates(rest),
        ["charts", "wrap", rest @ ..] => charts::wrap(rest),
        ["delays", rest @ ..] => delays::run(rest),
        ["generate", "kustomizations"] => kustomizations::generate(),
        ["generate", "kustomizations", "--check"] => kustomizations::check(),
        ["generate", "kustomize"] => kustomize_tables::generate(),
        ["generate", "kustomize", "--check"] => kustomize_tables::check(),
        ["generate", "schema"] => schema::generate(),
        ["generate", "schema", "--check"] => schema::check(),
        ["packages", rest @ ..] => packages::write(rest),
        ["test-cluster", rest @ ..] => test_cluster::run(rest),
        ["promises", rest @ ..] => promises::compare(rest),
        ["picture"] => picture::draw(),
        ["picture", "--check"] => picture::check(),
        ["witness", rest @ ..] => witness::run(rest),
        _ => {
            complain(USAGE);
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&format!("{failure:#}"));
            ExitCode::FAILURE
        }
    }
}

fn complain(text: &str) {
    // Nothing is left to report to when standard error itself is closed.
    let _ = writeln!(std::io::stderr(), "{text}");
}

//! Runs jobs in a shell, on the crate `gitlab-runner`, which speaks the runners' protocol from another hand than ours.
//! Arguments: address of the server, token of the runner, folder for checkouts.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use gitlab_runner::job::Job;
use gitlab_runner::{
    GitlabLayer, JobHandler, JobResult, Phase, RunnerBuilder, UploadableFile, outputln,
};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tokio_util::compat::{Compat, TokioAsyncReadCompatExt};
use tracing_subscriber::prelude::*;

struct ShellJob {
    job: Job,
    checkout: PathBuf,
}

struct File {
    root: PathBuf,
    path: String,
}

impl ShellJob {
    /// Clones the commit with the job's token and puts the artifacts of earlier jobs into it.
    async fn prepare(job: Job) -> Result<Self, ()> {
        let checkout = job.build_dir().join("checkout");
        std::fs::create_dir_all(&checkout).map_err(reported)?;
        let this = ShellJob { job, checkout };
        this.run(
            "git clone --quiet \"$CI_REPOSITORY_URL\" . && git checkout --quiet \"$CI_COMMIT_SHA\"",
        )
        .await?;
        for dependency in this.job.dependencies() {
            let Some(mut archive) = dependency.download().await.map_err(reported)? else {
                continue;
            };
            for index in 0..archive.len() {
                let mut entry = archive.by_index(index).ok_or(())?;
                let path = this.checkout.join(entry.path().ok_or(())?);
                std::fs::create_dir_all(path.parent().unwrap_or(&this.checkout))
                    .map_err(reported)?;
                let mut file = std::fs::File::create(path).map_err(reported)?;
                std::io::copy(&mut entry, &mut file).map_err(reported)?;
            }
        }
        Ok(this)
    }

    /// The output goes to the job's log, line by line.
    async fn run(&self, script: &str) -> JobResult {
        let variables = self
            .job
            .variables()
            .map(|variable| (variable.key(), variable.value()));
        let mut child = Command::new("sh")
            .args(["-e", "-c", &format!("exec 2>&1\n{script}")])
            .current_dir(&self.checkout)
            .envs(variables)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(reported)?;
        let mut lines = BufReader::new(child.stdout.take().ok_or(())?).lines();
        while let Some(line) = lines.next_line().await.map_err(reported)? {
            outputln!("{}", line);
        }
        if child.wait().await.map_err(reported)?.success() {
            Ok(())
        } else {
            Err(())
        }
    }
}

#[async_trait::async_trait]
impl JobHandler<File> for ShellJob {
    async fn step(&mut self, script: &[String], _phase: Phase) -> JobResult {
        self.run(&script.join("\n")).await
    }

    async fn get_uploadable_files(&mut self) -> Result<Box<dyn Iterator<Item = File> + Send>, ()> {
        let root = self.checkout.clone();
        let entries = walkdir::WalkDir::new(&root)
            .into_iter()
            .flatten()
            .filter(|entry| entry.file_type().is_file());
        let paths: Vec<String> = entries
            .filter_map(|entry| Some(entry.path().strip_prefix(&root).ok()?.to_str()?.to_string()))
            .collect();
        Ok(Box::new(paths.into_iter().map(move |path| File {
            root: root.clone(),
            path,
        })))
    }
}

#[async_trait::async_trait]
impl UploadableFile for File {
    type Data<'a> = Compat<tokio::fs::File>;

    fn get_path(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.path)
    }

    async fn get_data(&self) -> Result<Self::Data<'_>, ()> {
        Ok(tokio::fs::File::open(self.root.join(&self.path))
            .await
            .map_err(reported)?
            .compat())
    }
}

fn reported(error: impl std::fmt::Display) {
    outputln!("{}", error);
}

#[tokio::main]
async fn main() {
    let [server, token, folder] = std::env::args()
        .skip(1)
        .collect::<Vec<_>>()
        .try_into()
        .expect("server, token, folder");
    let (layer, jobs) = GitlabLayer::new();
    tracing_subscriber::registry().with(layer).init();
    let server = url::Url::parse(&server).expect("the address of the server");
    let mut runner = RunnerBuilder::new(server, token, Path::new(&folder), jobs)
        .version("0.1.0")
        .build()
        .await;
    runner.run(ShellJob::prepare, 2).await.expect("jobs");
}

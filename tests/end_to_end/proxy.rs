//! A proxy between workers and coordinator that can kill the coordinator in the middle of a call.

use rustix::process::{Pid, Signal, kill_process};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// The moment in a call with finished games at which the coordinator is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// After the request was forwarded. The games may or may not be committed.
    AfterRequest,
    /// After the coordinator has answered and before the worker gets the answer. The games are committed, and the
    /// worker does not know.
    BeforeAnswer,
}

#[derive(Default)]
struct Trap {
    armed: Mutex<Option<(Cut, Pid)>>,
    sprung: Notify,
}

impl Trap {
    fn spring(&self, at: Cut) -> bool {
        let mut armed = self.armed.lock().expect("no panic");
        match *armed {
            Some((cut, pid)) if cut == at => {
                kill_process(pid, Signal::KILL).expect("the coordinator runs");
                *armed = None;
                self.sprung.notify_one();
                true
            }
            _ => false,
        }
    }
}

/// A running proxy.
pub(crate) struct Proxy {
    pub(crate) url: String,
    trap: Arc<Trap>,
}

impl Proxy {
    /// Starts a proxy for the coordinator at `url`.
    pub(crate) async fn to(url: &str) -> Self {
        let target: SocketAddr = url.trim_start_matches("http://").parse().expect("an address");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        let trap = Arc::<Trap>::default();
        let shared = trap.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(forward(client, target, shared.clone()));
            }
        });
        Self { url, trap }
    }

    /// Kills `coordinator` in the middle of the next call with finished games. Returns after the kill.
    pub(crate) async fn kill_in_mid_call(&self, cut: Cut, coordinator: Pid) {
        *self.trap.armed.lock().expect("no panic") = Some((cut, coordinator));
        let sprung = tokio::time::timeout(crate::process::DEADLINE, self.trap.sprung.notified()).await;
        sprung.expect("a call with finished games");
    }
}

/// Forwards one connection until either end closes it, or the trap cuts it.
async fn forward(mut client: TcpStream, target: SocketAddr, trap: Arc<Trap>) {
    let Ok(mut server) = TcpStream::connect(target).await else { return };
    let (mut up, mut down) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let mut request = Vec::new();
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let Ok(n @ 1..) = read else { return };
                if up[..n].starts_with(b"POST ") {
                    request.clear();
                }
                request.extend_from_slice(&up[..n]);
                if server.write_all(&up[..n]).await.is_err() || (reports_games(&request) && trap.spring(Cut::AfterRequest)) {
                    return;
                }
            }
            read = server.read(&mut down) => {
                let Ok(n @ 1..) = read else { return };
                if reports_games(&request) && trap.spring(Cut::BeforeAnswer) {
                    return;
                }
                if client.write_all(&down[..n]).await.is_err() {
                    return;
                }
            }
        }
    }
}

fn reports_games(request: &[u8]) -> bool {
    let wanted = b"\"finished\":[{";
    request.windows(wanted.len()).any(|window| window == wanted)
}

//! A database server that is still starting when the coordinator starts.

use crate::databases::Database;
use coordinator::{Config, Coordinator};
use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpSocket, TcpStream, UnixStream};

/// The answer of a starting server: an error of severity FATAL with the code 57P03.
fn starting_up() -> Vec<u8> {
    let fields = b"SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0";
    let length = u32::try_from(fields.len() + 4).expect("short").to_be_bytes();
    [b"E".as_slice(), &length, fields].concat()
}

/// Answers a client like a server that is starting.
async fn not_yet(mut client: TcpStream) {
    let mut greeting = [0; 8];
    client.read_exact(&mut greeting).await.expect("a greeting");
    // The client may ask for TLS first. `N` declines.
    if greeting[4..] == 80_877_103_u32.to_be_bytes() {
        client.write_all(b"N").await.expect("an answer");
        client.read_exact(&mut greeting).await.expect("a greeting");
    }
    client.write_all(&starting_up()).await.expect("an answer");
}

#[tokio::test]
async fn a_coordinator_waits_for_a_server_that_starts_and_not_for_ever() {
    let Some(database) = Database::postgres().await else { return };
    let Some((_, directory)) = database.address.split_once("host=") else {
        // Written directly, because the test runner captures the output of passing tests.
        writeln!(
            std::io::stderr(),
            "\nSKIPPED: GAUNTLET_TEST_PG_URL names no socket, through which a test starts the server late"
        )
        .expect("stderr");
        return;
    };
    let (directory, options) = directory.split_once('&').expect("options");
    let socket = format!("{}/.s.PGSQL.5432", directory.replace("%2F", "/"));
    // Nobody else gets the port, and nobody answers there before the test listens.
    let bound = TcpSocket::new_v4().expect("a socket");
    bound.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a port");
    let port = bound.local_addr().expect("bound").port();
    let address = format!("postgres://postgres@127.0.0.1:{port}/postgres?{options}");
    let open = |wait| Coordinator::open(Config { wait, ..Config::new(&address) });

    let refused = open(Duration::ZERO).await.map(drop).expect_err("nobody is there").to_string();
    assert!(refused.contains("cannot open the database"), "{refused}");

    let opening = tokio::spawn(open(Duration::from_secs(300)));
    let listener = bound.listen(16).expect("a listener");
    tokio::spawn(async move {
        for turn in 0.. {
            let (mut client, _) = listener.accept().await.expect("a client");
            if turn < 2 {
                not_yet(client).await;
                continue;
            }
            let socket = socket.clone();
            tokio::spawn(async move {
                let mut server = UnixStream::connect(socket).await.expect("the server");
                let _ = copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    let coordinator = opening.await.expect("no panic").expect("the server is there in the end");
    assert!(coordinator.overview().await.expect("overview").experiments.is_empty());
    coordinator.close().await;
}

//! The table of commands. It imports the handlers; no handler imports the table.

use super::arguments;
use super::refusal::{Refusal, Reply};
use super::session::Session;
use super::solvers::Method;
use crate::spelling;
use crate::spelling::excerpt;

/// One line of the table.
pub(super) struct Command {
    /// The name, then other names for the same command.
    names: &'static [&'static str],
    arguments: &'static str,
    meaning: &'static str,
    run: Run,
}

/// The handler of a command.
#[derive(Clone, Copy)]
enum Run {
    /// It takes words.
    Words(fn(&mut Session, &[&str]) -> Reply),
    /// It takes a name or a remark, whose blanks count.
    Text(fn(&mut Session, &str) -> Reply),
}

impl Command {
    /// Carries out the command. The arguments may end in a comment.
    pub(super) fn run(&'static self, session: &mut Session, arguments: &str) -> Reply {
        let reply = match self.run {
            Run::Words(run) => arguments::words(arguments).and_then(|words| {
                let words: Vec<&str> = words.iter().map(|word| &**word).collect();
                if self.arguments.is_empty() && !words.is_empty() {
                    return Err(Refusal::Arguments);
                }
                run(session, &words)
            }),
            Run::Text(run) => run(session, arguments::text(arguments)),
        };
        reply.map_err(|refusal| match refusal {
            Refusal::Arguments => Refusal::Usage(self.usage()),
            other => other,
        })
    }

    /// The command with this name, in any case.
    pub(super) fn find(name: &str) -> Option<&'static Self> {
        COMMANDS.iter().find(|command| command.names.iter().any(|known| known.eq_ignore_ascii_case(name)))
    }

    /// The name and the arguments.
    fn usage(&self) -> String {
        format!("{} {}", self.names[0], self.arguments).trim_end().to_owned()
    }

    fn help(&self) -> String {
        let others = match self.names {
            [_, others @ ..] if !others.is_empty() => format!(" (also {})", others.join(", ")),
            _ => String::new(),
        };
        format!("{}{others}: {}", self.usage(), self.meaning)
    }
}

/// The refusal of a name that no command has.
pub(super) fn unknown(name: &str) -> Refusal {
    // The line may be megabytes long; names are short.
    let name = excerpt(name);
    Refusal::UnknownCommand { nearest: spelling::closest(&name, names()), name }
}

/// The names of all commands.
fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().flat_map(|command| command.names).copied()
}

macro_rules! commands {
    ($($names:expr, $arguments:literal, $run:expr, $meaning:literal;)+) => {
        static COMMANDS: &[Command] =
            &[$(Command { names: &$names, arguments: $arguments, meaning: $meaning, run: $run }),+];
    };
}

use Run::{Text, Words};

commands! {
    ["protocol_version"], "", Words(Session::protocol_version), "the version of GTP spoken, 2";
    ["name"], "", Words(Session::name), "the name of the engine";
    ["version"], "", Words(Session::version), "the version of the engine";
    ["list_commands"], "", Words(Session::list_commands), "every command, one a line";
    ["known_command"], "name", Words(Session::known_command), "whether there is a command of this name";
    ["help"], "[command]", Words(Session::help), "what a command, or every command, does";
    ["echo"], "[words]", Text(Session::echo), "the words";
    ["quit", "exit"], "", Words(Session::end), "ends the session";

    ["boardsize"], "n", Words(Session::boardsize), "begins a game on an empty board of size 3 to 10";
    ["clear_board", "clear"], "", Words(Session::clear_board), "begins a game on an empty board of the same size";
    ["play"], "colour move", Words(Session::play), "takes a turn: a cell, `swap` or `resign`";
    ["white"], "move", Words(Session::white), "takes a turn of white";
    ["black"], "move", Words(Session::black), "takes a turn of black";
    ["playgame"], "moves", Words(Session::playgame), "takes turns until one cannot be taken, which is refused";
    ["undo"], "[n]", Words(Session::undo), "takes back the last turn, or the last n";
    ["swap"], "[0|1]", Words(Session::swap), "whether black may swap as its first move";
    ["komi"], "[number]", Words(Session::komi), "accepted and ignored: Havannah has no komi";
    ["winner", "havannah_winner"], "", Words(Session::winner), "none, white, black or draw";
    ["history"], "", Words(Session::history), "the moves of the game in order";
    ["all_legal"], "", Words(Session::all_legal), "the legal moves, row a first";
    ["showboard", "print"], "[moves]", Words(Session::showboard), "draws the board, or what it would be after some more moves";
    ["dists"], "[colour]", Words(Session::dists), "draws how many stones each cell is from a win, for one player or the nearer one";
    ["knowledge"], "[heuristic]", Words(Session::knowledge), "points of every heuristic for each move, or a board of those of one";
    ["loadsgf"], "file [move] [game=n]", Text(Session::loadsgf), "plays the main line of a game of a file, up to before a move";
    ["savesgf"], "[file] [gui|grid|littlegolem]", Text(Session::savesgf), "writes the game to a file and answers the name, or answers the game";

    ["genmove"], "[colour] [seconds]", Words(Session::genmove), "thinks, and takes the turn found";
    ["pv"], "", Words(Session::pv), "the line expected from the position on";
    ["move_stats"], "[moves]", Words(Session::move_stats), "moves the search has seen: playouts, mean, outcome";
    ["savetree", "player_hgf"], "[file] [playouts]", Text(Session::savetree), "writes the search tree to a game file and answers the name, or answers the tree";
    ["time"], "[-m s] [-g s] [-r s] [-i n] [-f 0|1] [-e x] [-p x] [-s x]", Words(Session::time), "sets or shows the limits of thinking";
    ["time_settings"], "main byo_yomi stones", Words(Session::time_settings), "sets time the way of GTP";
    ["time_left"], "colour seconds stones", Words(Session::time_left), "sets what remains of a player's time";

    ["solve"], "[solver] [seconds] [nodes]", Words(Session::solve), "the outcome under best play, a best move, depth and nodes";
    ["ab_solve"], "[seconds] [nodes]", Words(|s, a| s.solve_by(Method::AlphaBeta, a)), "solves by alpha-beta";
    ["pns_solve"], "[seconds] [nodes]", Words(|s, a| s.solve_by(Method::Tree, a)), "solves by proof-number search on a tree";
    ["pns2_solve"], "[seconds] [nodes]", Words(|s, a| s.solve_by(Method::Threads, a)), "the same by several threads";
    ["pnstt_solve"], "[seconds] [nodes]", Words(|s, a| s.solve_by(Method::Table, a)), "the same with a table instead of a tree";
    ["player_solve"], "[seconds] [sims]", Words(Session::player_solve), "solves by the player's own search";
    ["player_solved"], "", Words(Session::player_solved), "what the player's search has proved of the position";
    ["player_confirm"], "[seconds] [nodes]", Words(Session::player_confirm), "asks a solver about all that the player's search has proved";
    ["solve_limits"], "[seconds [nodes]]", Words(Session::solve_limits), "sets or shows what solvers get that are told nothing else";
    ["ab_params"], "[-m mib]", Words(|s, a| s.solver_params(Method::AlphaBeta, a)), "sets up alpha-beta, or shows how it is";
    ["pns_params"], "[-m mib] [-a plies] [-l 0|1|2] [-e x] [-d 0|1]", Words(|s, a| s.solver_params(Method::Tree, a)),
        "sets up the search on a tree, or shows how it is";
    ["pns2_params"], "[-m mib] [-a plies] [-l 0|1|2] [-e x] [-d 0|1] [-t n]", Words(|s, a| s.solver_params(Method::Threads, a)),
        "sets up the search by threads, or shows how it is";
    ["pnstt_params"], "[-m mib] [-a plies] [-l 0|1|2] [-e x] [-c n]", Words(|s, a| s.solver_params(Method::Table, a)),
        "sets up the search with a table, or shows how it is";
    ["ab_stats"], "", Words(|s, a| s.solver_stats(Method::AlphaBeta, a)), "the moves of the position last solved by alpha-beta, and what is known of them";
    ["pns_stats"], "", Words(|s, a| s.solver_stats(Method::Tree, a)), "the same of the search on a tree";
    ["pns2_stats"], "", Words(|s, a| s.solver_stats(Method::Threads, a)), "the same of the search by threads";
    ["pnstt_stats"], "", Words(|s, a| s.solver_stats(Method::Table, a)), "the same of the search with a table";
    ["ab_clear"], "", Words(|s, a| s.solver_clear(Method::AlphaBeta, a)), "forgets what alpha-beta last found";
    ["pns_clear"], "", Words(|s, a| s.solver_clear(Method::Tree, a)), "the same of the search on a tree";
    ["pns2_clear"], "", Words(|s, a| s.solver_clear(Method::Threads, a)), "the same of the search by threads";
    ["pnstt_clear"], "", Words(|s, a| s.solver_clear(Method::Table, a)), "the same of the search with a table";

    ["params", "param", "player_params"], "[help] [name [value]] [name=value ...] [preset name]", Words(Session::params),
        "lists, explains, shows or sets parameters of the player";
    ["seed"], "[n]", Words(Session::set_seed), "the seed of the random streams of searches to come";
    ["extended"], "[0|1]", Words(Session::set_extended), "whether genmove answers more than the move";
    ["verbose"], "[n]", Words(Session::verbose), "how much is said on standard error";
    ["hguicoords"], "", Words(Session::hguicoords), "numbers cells by column of the whole board, as HavannahGui does";
    ["gridcoords"], "", Words(Session::gridcoords), "numbers cells from 1 in every row";
    ["logfile"], "name", Text(Session::logfile), "writes all commands and answers to a file from now on";
    ["lognote"], "[words]", Text(Session::lognote), "writes a remark to that file";
    ["logend"], "", Words(Session::logend), "ends the log";
    ["colorboard"], "[0|1]", Words(Session::colorboard), "whether showboard uses colours";
}

impl Session {
    fn protocol_version(&mut self, _: &[&str]) -> Reply {
        Ok("2".into())
    }

    fn name(&mut self, _: &[&str]) -> Reply {
        Ok("Gauntlet".into())
    }

    fn version(&mut self, _: &[&str]) -> Reply {
        Ok(env!("CARGO_PKG_VERSION").into())
    }

    fn list_commands(&mut self, _: &[&str]) -> Reply {
        Ok(names().collect::<Vec<_>>().join("\n"))
    }

    fn known_command(&mut self, arguments: &[&str]) -> Reply {
        let &[name] = arguments else { return Err(Refusal::Arguments) };
        Ok(Command::find(name).is_some().to_string())
    }

    fn help(&mut self, arguments: &[&str]) -> Reply {
        match arguments {
            [] => Ok(COMMANDS.iter().map(Command::help).collect::<Vec<_>>().join("\n")),
            [name] => Command::find(name).map(Command::help).ok_or_else(|| unknown(name)),
            _ => Err(Refusal::Arguments),
        }
    }

    fn echo(&mut self, text: &str) -> Reply {
        Ok(text.to_owned())
    }

    fn end(&mut self, _: &[&str]) -> Reply {
        self.quit = true;
        Ok(String::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_commands_share_a_name_and_all_are_lower_case() {
        let all: Vec<_> = names().collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        assert!(
            all.iter().all(|name| !name.bytes().any(|b| b.is_ascii_uppercase() || b.is_ascii_whitespace()))
        );
    }

    #[test]
    fn commands_are_documented_with_arguments_and_other_names() {
        let page = include_str!("../../../docs/reference/gtp.md");
        for command in COMMANDS {
            // One heading may have several commands that are alike.
            let usage = format!("`{}`", command.usage());
            let documented = page.lines().any(|line| line.starts_with("### ") && line.contains(&usage));
            assert!(documented, "docs/reference/gtp.md lacks a heading with {usage}");
            for name in command.names {
                assert!(page.contains(&format!("`{name}")), "docs/reference/gtp.md lacks `{name}`");
            }
        }
    }
}

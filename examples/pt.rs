use huscarl::{game::*,grid::*,perft::*,tafl::*};
use std::time::Instant;
fn spec7()->Spec{Spec{size:7,start:"3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3",goal:Goal::Corners,centre:Centre::Throne,surround:Surround::OnCentre,stuck:Stuck::Loses,limits:Limits{repetition:3,quiet:0}}}
fn spec11()->Spec{Spec{size:11,start:"3ttttt3/5t5/11/t4T4t/t3TTT3t/tt1TTKTT1tt/t3TTT3t/t4T4t/11/5t5/3ttttt3",goal:Goal::Edge,centre:Centre::Castle,surround:Surround::NearCentre,stuck:Stuck::Draws,limits:Limits{repetition:2,quiet:0}}}
fn run<G:Game>(g:&G,d:u32){ let p=g.start().unwrap();
 for _ in 0..2 { let t=Instant::now(); let n=perft(g,&p,d,&||false).unwrap(); let e=t.elapsed().as_secs_f64(); print!("bulk d{d} {n} {:.0}M/s  ",n as f64/e/1e6);
 let t=Instant::now(); let n=perft_made(g,&p,d-1,&||false).unwrap(); let e=t.elapsed().as_secs_f64(); println!("made d{} {n} {:.0}M/s",d-1,n as f64/e/1e6);} }
fn main(){ let a:Vec<u32>=std::env::args().skip(1).map(|x|x.parse().unwrap()).collect();
 run(&Tafl::<Grid7>::new(spec7()),a[0]); run(&Tafl::<Grid11>::new(spec11()),a[1]); }
